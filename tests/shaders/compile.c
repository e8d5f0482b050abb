// Compiles HLSL as wgpu-hal does, with a DLL of Microsoft's FXC or DXC. A Windows program, run under Wine.
//
//     compile.exe fxc|dxc DLL FILE ENTRY_POINT TARGET
//
// Prints one line: the result (0 on success), seconds of CPU time in user mode, bytes of code, and FXC's number of
// instructions. The messages of the compiler follow. Exits with 1 if compiling fails.
#define COBJMACROS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

// The blobs of both compilers: the methods of IUnknown, then these two.
typedef struct Object { void **methods; } Object;
#define METHOD(object, index, type) ((type)(object)->methods[index])
typedef void *(WINAPI *PointerFn)(Object *);
typedef SIZE_T(WINAPI *SizeFn)(Object *);

static const char *text_of(Object *blob) { return METHOD(blob, 3, PointerFn)(blob); }
static SIZE_T size_of(Object *blob) { return blob ? METHOD(blob, 4, SizeFn)(blob) : 0; }

typedef HRESULT(WINAPI *FxcCompile)(const void *, SIZE_T, const char *, const void *, void *, const char *, const char *,
                                    UINT, UINT, Object **, Object **);
typedef HRESULT(WINAPI *FxcDisassemble)(const void *, SIZE_T, UINT, const char *, Object **);
// D3DCOMPILE_ENABLE_STRICTNESS
#define ENABLE_STRICTNESS 0x800

typedef struct { const void *text; SIZE_T size; UINT encoding; } DxcBuffer;
typedef HRESULT(WINAPI *DxcCreate)(const GUID *, const GUID *, void **);
typedef HRESULT(WINAPI *DxcCompile)(Object *, const DxcBuffer *, LPCWSTR *, UINT, void *, const GUID *, void **);
typedef HRESULT(WINAPI *DxcStatus)(Object *, HRESULT *);
typedef HRESULT(WINAPI *DxcOutput)(Object *, int, const GUID *, void **, void **);
static const GUID CLSID_DxcCompiler = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
static const GUID IID_DxcCompiler3 = {0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
static const GUID IID_DxcResult = {0x58346cda, 0xdde7, 0x4497, {0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59}};
static const GUID IID_DxcBlob = {0x8ba5fb08, 0x5195, 0x40e2, {0xac, 0x58, 0x0d, 0x98, 0x9c, 0x3a, 0x01, 0x02}};
enum { DXC_OUT_OBJECT = 1, DXC_OUT_ERRORS = 2 };

static double user_seconds(void) {
    FILETIME created, exited, kernel, user;
    GetProcessTimes(GetCurrentProcess(), &created, &exited, &kernel, &user);
    ULARGE_INTEGER ticks = {.LowPart = user.dwLowDateTime, .HighPart = user.dwHighDateTime};
    return ticks.QuadPart / 1e7;
}

static FARPROC function(HMODULE dll, const char *name) {
    FARPROC found = GetProcAddress(dll, name);
    if (!found) {
        fprintf(stderr, "the DLL has no %s\n", name);
        exit(2);
    }
    return found;
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "compile.exe fxc|dxc DLL FILE ENTRY_POINT TARGET\n");
        return 2;
    }
    int is_fxc = !strcmp(arguments[1], "fxc");
    const char *entry_point = arguments[4], *target = arguments[5];
    HMODULE dll = LoadLibraryA(arguments[2]);
    FILE *file = fopen(arguments[3], "rb");
    if (!dll || !file) {
        fprintf(stderr, "%s cannot be %s\n", arguments[dll ? 3 : 2], dll ? "read" : "loaded");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    SIZE_T size = ftell(file);
    rewind(file);
    char *source = malloc(size);
    size = fread(source, 1, size, file);

    Object *code = NULL, *messages = NULL;
    HRESULT result;
    long instructions = -1;
    double began, took;
    if (is_fxc) {
        FxcCompile compile = (FxcCompile)(void *)function(dll, "D3DCompile");
        began = user_seconds();
        result = compile(source, size, entry_point, NULL, NULL, entry_point, target, ENABLE_STRICTNESS, 0, &code,
                         &messages);
        took = user_seconds() - began;
        FxcDisassemble disassemble = (FxcDisassemble)(void *)function(dll, "D3DDisassemble");
        Object *text = NULL;
        if (code && disassemble(text_of(code), size_of(code), 0, NULL, &text) >= 0) {
            const char *line = strstr(text_of(text), "Approximately ");
            instructions = line ? atol(line + strlen("Approximately ")) : -1;
        }
    } else {
        WCHAR wide_entry_point[128], wide_target[32];
        MultiByteToWideChar(CP_UTF8, 0, entry_point, -1, wide_entry_point, 128);
        MultiByteToWideChar(CP_UTF8, 0, target, -1, wide_target, 32);
        LPCWSTR options[] = {wide_entry_point, L"-E", wide_entry_point, L"-T", wide_target, L"-HV", L"2018", L"-Ges"};
        DxcCreate create = (DxcCreate)(void *)function(dll, "DxcCreateInstance");
        Object *compiler = NULL, *output = NULL;
        if (create(&CLSID_DxcCompiler, &IID_DxcCompiler3, (void **)&compiler) < 0) {
            fprintf(stderr, "DXC makes no compiler\n");
            return 2;
        }
        DxcBuffer buffer = {source, size, CP_UTF8};
        began = user_seconds();
        UINT count_options = sizeof options / sizeof *options;
        result = METHOD(compiler, 3, DxcCompile)(compiler, &buffer, options, count_options, NULL, &IID_DxcResult,
                                                 (void **)&output);
        took = user_seconds() - began;
        if (result >= 0) {
            METHOD(output, 3, DxcStatus)(output, &result);
            METHOD(output, 7, DxcOutput)(output, DXC_OUT_OBJECT, &IID_DxcBlob, (void **)&code, NULL);
            METHOD(output, 7, DxcOutput)(output, DXC_OUT_ERRORS, &IID_DxcBlob, (void **)&messages, NULL);
        }
    }
    printf("%08lx %.2f %lu %ld\n", (unsigned long)result, took, (unsigned long)size_of(code), instructions);
    if (size_of(messages) > 1) {
        printf("%.*s\n", (int)size_of(messages), text_of(messages));
    }
    return result < 0;
}
