// Prints what a Vulkan driver says of a compute shader: a line NAME=VALUE for each of its statistics. The shader is only
// compiled, so the driver may be one that stands in for a card that is not there.
//
//     registers FILE.spv ENTRY_POINT
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

static void check(VkResult result, const char *what) {
    if (result < VK_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, result);
        exit(1);
    }
}

// All bindings that a stage may have, in group 0.
enum { BINDINGS = 64, MOST_STATISTICS = 64 };

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: registers FILE.spv ENTRY_POINT\n");
        return 2;
    }
    FILE *file = fopen(arguments[1], "rb");
    static uint32_t words[1 << 20];
    size_t length = file ? fread(words, 4, sizeof words / 4, file) : 0;
    if (length == 0) {
        fprintf(stderr, "%s cannot be read\n", arguments[1]);
        return 1;
    }

    VkInstance instance;
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    check(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                   .pApplicationInfo = &application}, NULL, &instance), "instance");
    uint32_t one = 1;
    VkPhysicalDevice card;
    check(vkEnumeratePhysicalDevices(instance, &one, &card), "devices");
    if (one == 0) {
        fprintf(stderr, "there is no device\n");
        return 1;
    }

    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE};
    const char *extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDevice device;
    check(vkCreateDevice(card, &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                                     .pNext = &statistics, .queueCreateInfoCount = 1,
                                                     .pQueueCreateInfos = &queue, .enabledExtensionCount = 1,
                                                     .ppEnabledExtensionNames = &extension}, NULL, &device), "device");

    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t number = 0; number < BINDINGS; number++)
        bindings[number] = (VkDescriptorSetLayoutBinding){number, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                          VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayout group;
    check(vkCreateDescriptorSetLayout(device, &(VkDescriptorSetLayoutCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = BINDINGS,
        .pBindings = bindings}, NULL, &group), "group");
    VkPipelineLayout layout;
    check(vkCreatePipelineLayout(device, &(VkPipelineLayoutCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
        .pSetLayouts = &group}, NULL, &layout), "layout");
    VkShaderModule module;
    check(vkCreateShaderModule(device, &(VkShaderModuleCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4 * length,
        .pCode = words}, NULL, &module), "module");
    VkPipeline pipeline;
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &(VkComputePipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module, .pName = arguments[2]},
        .layout = layout}, NULL, &pipeline), "pipeline");

    PFN_vkGetPipelineExecutableStatisticsKHR ask = (PFN_vkGetPipelineExecutableStatisticsKHR)
        vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR");
    VkPipelineExecutableStatisticKHR told[MOST_STATISTICS];
    for (int number = 0; number < MOST_STATISTICS; number++)
        told[number] = (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    uint32_t length_told = MOST_STATISTICS;
    check(ask(device, &(VkPipelineExecutableInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                                     .pipeline = pipeline}, &length_told, told), "statistics");
    for (uint32_t number = 0; number < length_told; number++)
        if (told[number].format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR)
            printf("%s=%llu\n", told[number].name, (unsigned long long)told[number].value.u64);
    return 0;
}
