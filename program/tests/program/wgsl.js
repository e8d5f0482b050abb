// What the browser's compiler says of a WGSL module: a line for each message.
async function messagesOf(code) {
  const adapter = await navigator.gpu.requestAdapter();
  globalThis.device ??= await adapter.requestDevice();
  device.pushErrorScope("validation");
  const information = await device.createShaderModule({ code }).getCompilationInfo();
  await device.popErrorScope();
  return information.messages.map(({ type, lineNum, message }) => `${type}, line ${lineNum}: ${message}`);
}
