//! A Vulkan driver for tests: another driver with a fault. The test builds it with `rustc`, as a library for C.
//!
//! `DRIVER` is the other driver's library, and `FAULT` says what is wrong:
//!
//! - `list` aborts when adapters are listed, `open` when a device is opened, `compile` when a shader is compiled,
//!   `close` when a device is closed, and `end` when the driver is; with `stay`, closing the driver never returns.
//! - `late` lists adapters, and `slow` compiles, only once the file that `GO` names is there.
//! - `print` prints half a line when the driver is loaded and when a device is opened; `speak` prints it when the
//!   driver is loaded, and aborts when adapters are listed.
//! - `uncertified` hides the conformance number.
//! - A number loses the device after as many submissions; one with a minus aborts then.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::transmute;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

type Address = *mut c_void;
type Lookup = unsafe extern "C" fn(Address, *const c_char) -> Address;
type Negotiate = unsafe extern "C" fn(*mut u32) -> i32;
type Compile = unsafe extern "C" fn(Address, u64, u32, Address, Address, Address) -> i32;
type Submit = unsafe extern "C" fn(Address, u32, Address, u64) -> i32;
type Create = unsafe extern "C" fn(Address, Address, Address, Address) -> i32;
type Properties = unsafe extern "C" fn(Address, *mut Chained);

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> Address;
    fn dlsym(library: Address, name: *const c_char) -> Address;
}

/// The beginning of every structure in Vulkan.
#[repr(C)]
struct Chained {
    kind: u32,
    next: *mut Chained,
}

/// The two structures with a conformance number, and where it is in both.
const WITH_NUMBER: [u32; 2] = [1_000_196_000, 52];
const NUMBER_AT: usize = 16 + 4 + 256 + 256;

const DEVICE_LOST: i32 = -4;

static PROPERTIES: OnceLock<Properties> = OnceLock::new();
static OF_DEVICE: OnceLock<Lookup> = OnceLock::new();
static CREATE: OnceLock<Create> = OnceLock::new();
static COMPILE: OnceLock<Compile> = OnceLock::new();
static SUBMIT: OnceLock<Submit> = OnceLock::new();
static SUBMISSIONS: AtomicU32 = AtomicU32::new(0);

fn fault() -> String {
    std::env::var("FAULT").unwrap_or_default()
}

fn has(fault: &str) -> bool {
    self::fault() == fault
}

unsafe fn of_driver(name: &CStr) -> Address {
    let driver = CString::new(std::env::var("DRIVER").expect("a driver is named")).expect("a path");
    unsafe { dlsym(dlopen(driver.as_ptr(), 2), name.as_ptr()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn vk_icdNegotiateLoaderICDInterfaceVersion(version: *mut u32) -> i32 {
    if has("print") || has("speak") {
        print();
    }
    unsafe { transmute::<Address, Negotiate>(of_driver(c"vk_icdNegotiateLoaderICDInterfaceVersion"))(version) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn vk_icdGetInstanceProcAddr(instance: Address, name: *const c_char) -> Address {
    unsafe { replaced(c"vk_icdGetInstanceProcAddr", instance, name) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn vk_icdGetPhysicalDeviceProcAddr(instance: Address, name: *const c_char) -> Address {
    unsafe { replaced(c"vk_icdGetPhysicalDeviceProcAddr", instance, name) }
}

unsafe fn replaced(lookup: &CStr, instance: Address, name: *const c_char) -> Address {
    let found = unsafe { transmute::<Address, Lookup>(of_driver(lookup))(instance, name) };
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"vkEnumeratePhysicalDevices" if has("list") || has("speak") => crash as *const () as Address,
        b"vkEnumeratePhysicalDevices" if has("late") => {
            wait();
            found
        }
        b"vkGetDeviceProcAddr" if !found.is_null() => {
            let _ = OF_DEVICE.set(unsafe { transmute::<Address, Lookup>(found) });
            of_device as *const () as Address
        }
        b"vkCreateDevice" if has("open") => crash as *const () as Address,
        b"vkDestroyInstance" if has("end") => crash as *const () as Address,
        b"vkDestroyInstance" if has("stay") => stay as *const () as Address,
        b"vkCreateDevice" if has("print") && !found.is_null() => {
            let _ = CREATE.set(unsafe { transmute::<Address, Create>(found) });
            create as *const () as Address
        }
        b"vkGetPhysicalDeviceProperties2" | b"vkGetPhysicalDeviceProperties2KHR" if has("uncertified") => {
            if !found.is_null() {
                let _ = PROPERTIES.set(unsafe { transmute::<Address, Properties>(found) });
            }
            properties as *const () as Address
        }
        _ => found,
    }
}

extern "C" fn crash() {
    std::process::abort();
}

extern "C" fn stay() {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Waits for the file that says when to go on.
fn wait() {
    let go = std::env::var_os("GO").expect("a file is named");
    while !Path::new(&go).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

unsafe extern "C" fn of_device(device: Address, name: *const c_char) -> Address {
    let found = unsafe { OF_DEVICE.get().expect("the loader has asked for it")(device, name) };
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"vkCreateComputePipelines" if has("compile") => crash as *const () as Address,
        b"vkCreateComputePipelines" if has("slow") => {
            let _ = COMPILE.set(unsafe { transmute::<Address, Compile>(found) });
            compile as *const () as Address
        }
        b"vkDestroyDevice" if has("close") => crash as *const () as Address,
        b"vkQueueSubmit" if fault().parse::<i64>().is_ok() => {
            let _ = SUBMIT.set(unsafe { transmute::<Address, Submit>(found) });
            submit as *const () as Address
        }
        _ => found,
    }
}

unsafe extern "C" fn compile(a: Address, b: u64, c: u32, d: Address, e: Address, f: Address) -> i32 {
    wait();
    unsafe { COMPILE.get().expect("the loader has asked for it")(a, b, c, d, e, f) }
}

/// Prints as C does, past the buffer of Rust's standard library.
fn print() {
    let _ = std::os::fd::AsFd::as_fd(&std::io::stdout())
        .try_clone_to_owned()
        .map(|out| std::fs::File::from(out).write_all(b"printed by a driver"));
}

unsafe extern "C" fn create(adapter: Address, a: Address, b: Address, c: Address) -> i32 {
    print();
    unsafe { CREATE.get().expect("the loader has asked for it")(adapter, a, b, c) }
}

unsafe extern "C" fn submit(queue: Address, count: u32, submits: Address, fence: u64) -> i32 {
    let fault = fault();
    let most: u32 = fault.trim_start_matches('-').parse().expect("a number");
    if SUBMISSIONS.fetch_add(1, Ordering::Relaxed) >= most {
        if fault.starts_with('-') {
            crash();
        }
        return DEVICE_LOST;
    }
    unsafe { SUBMIT.get().expect("the loader has asked for it")(queue, count, submits, fence) }
}

unsafe extern "C" fn properties(device: Address, properties: *mut Chained) {
    unsafe { PROPERTIES.get().expect("the loader has asked for it")(device, properties) };
    let mut next = properties;
    while let Some(chained) = unsafe { next.as_ref() } {
        if WITH_NUMBER.contains(&chained.kind) {
            unsafe { next.cast::<u8>().add(NUMBER_AT).cast::<u32>().write_unaligned(0) };
        }
        next = chained.next;
    }
}
