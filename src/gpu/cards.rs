//! Which adapters are the same GPU. Each backend lists it once, and so does each of several drivers of one backend.
//!
//! Vendor and device numbers distinguish models. The bus address distinguishes equal GPUs, but only Vulkan gives it
//! reliably: DX12 gives all equal GPUs the address of the first, and Metal gives no numbers at all. So adapters are
//! joined by address where possible. Otherwise a backend is taken to list each GPU once, so the second of two equal
//! GPUs is the second in the list of every backend.

use wgpu::Backend;

/// What an adapter reports about its GPU.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub name: String,
    pub backend: Backend,
    pub vendor: u32,
    pub device: u32,
    /// The bus address; empty if it is not known.
    pub bus: String,
    pub is_software: bool,
}

impl Listed {
    pub fn of(info: &wgpu::AdapterInfo) -> Listed {
        Listed {
            name: info.name.clone(),
            backend: info.backend,
            vendor: info.vendor,
            device: info.device,
            bus: info.device_pci_bus_id.clone(),
            is_software: info.device_type == wgpu::DeviceType::Cpu,
        }
    }

    fn is_same_model(&self, other: &Listed) -> bool {
        let models = |listed: &Listed| (listed.vendor, listed.device);
        !self.is_software
            && !other.is_software
            && models(self) == models(other)
            && (models(self) != (0, 0) || self.name == other.name)
    }
}

/// The rank of a backend among those of one GPU, the best first: DX12 compiles shaders slowest.
fn rank(backend: Backend) -> u32 {
    match backend {
        Backend::Metal => 0,
        Backend::Vulkan => 1,
        _ => 2,
    }
}

/// The GPUs, in the order in which they are first listed. Each is given by the indices of its adapters in the list, the
/// better backend first.
pub(super) fn cards(listed: &[Listed]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..listed.len()).collect();
    order.sort_by_key(|&place| rank(listed[place].backend));
    let mut cards: Vec<Vec<usize>> = Vec::new();
    for place in order {
        let adapter = &listed[place];
        let is_of_model = |card: &&mut Vec<usize>| adapter.is_same_model(&listed[card[0]]);
        let is_of_backend = |card: &Vec<usize>| card.iter().any(|&other| listed[other].backend == adapter.backend);
        let is_at_address =
            |card: &Vec<usize>| !adapter.bus.is_empty() && card.iter().any(|&other| listed[other].bus == adapter.bus);
        // A bus address from Vulkan identifies one GPU, so two Vulkan adapters at one address are two drivers.
        let is_joined =
            |card: &Vec<usize>| is_at_address(card) && (adapter.backend == Backend::Vulkan || !is_of_backend(card));
        let by_address = cards.iter().position(|card| adapter.is_same_model(&listed[card[0]]) && is_joined(card));
        let card = match by_address {
            Some(card) => Some(&mut cards[card]),
            None => cards.iter_mut().filter(is_of_model).find(|card| !is_of_backend(card)),
        };
        match card {
            Some(card) => card.push(place),
            None => cards.push(vec![place]),
        }
    }
    cards.sort_by_key(|card| card.iter().copied().min());
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str, backend: Backend, [vendor, device]: [u32; 2], bus: &str) -> Listed {
        let (name, bus) = (name.to_owned(), bus.to_owned());
        Listed { name, backend, vendor, device, bus, is_software: false }
    }

    const NVIDIA: [u32; 2] = [0x10de, 0x2504];
    const INTEL: [u32; 2] = [0x8086, 0x4680];
    const FIRST: &str = "0000:01:00.0";
    const SECOND: &str = "0000:02:00.0";

    /// A Windows machine with a discrete GPU and integrated graphics.
    #[test]
    fn a_card_of_two_backends_is_one() {
        let listed = [
            card("UHD", Backend::Dx12, INTEL, "0000:00:02.0"),
            card("RTX", Backend::Dx12, NVIDIA, FIRST),
            card("RTX", Backend::Vulkan, NVIDIA, FIRST),
            card("UHD", Backend::Vulkan, INTEL, ""),
        ];
        assert_eq!(cards(&listed), [vec![3, 0], vec![2, 1]], "the better backend first, with and without an address");
    }

    /// Two equal GPUs, both of which have the address of the first under DX12.
    #[test]
    fn two_equal_cards_are_two() {
        let vulkan = [FIRST, SECOND].map(|bus| card("RTX", Backend::Vulkan, NVIDIA, bus));
        assert_eq!(cards(&vulkan), [vec![0], vec![1]]);
        let dx12 = [FIRST, FIRST].map(|bus| card("RTX", Backend::Dx12, NVIDIA, bus));
        assert_eq!(cards(&dx12), [vec![0], vec![1]]);
        let both: Vec<Listed> = vulkan.into_iter().chain(dx12).collect();
        assert_eq!(cards(&both), [vec![0, 2], vec![1, 3]]);
        let metal = [0; 2].map(|_| card("AMD", Backend::Metal, [0, 0], ""));
        assert_eq!(cards(&metal), [vec![0], vec![1]]);
        // Vulkan may list only one of them.
        assert_eq!(cards(&[both[1].clone(), both[2].clone(), both[3].clone()]), [vec![0, 1], vec![2]]);
    }

    /// Two drivers of one GPU, as Linux may have, are joined; different GPUs and software adapters never are.
    #[test]
    fn drivers_of_a_card_are_one_and_programs_are_many() {
        let drivers = [FIRST, FIRST].map(|bus| card("RTX", Backend::Vulkan, NVIDIA, bus));
        assert_eq!(cards(&drivers), [vec![0, 1]]);
        let other = card("UHD", Backend::Dx12, INTEL, FIRST);
        assert_eq!(cards(&[drivers[0].clone(), other]), [vec![0], vec![1]]);
        let named = |name| card(name, Backend::Metal, [0, 0], "");
        let vulkan = card("M2", Backend::Vulkan, [0, 0], "");
        assert_eq!(cards(&[vulkan, named("M1"), named("M2")]), [vec![2, 0], vec![1]]);
        let program = Listed { is_software: true, ..card("llvmpipe", Backend::Vulkan, [0x10005, 0], "") };
        let same = Listed { backend: Backend::Dx12, ..program.clone() };
        assert_eq!(cards(&[program, same]), [vec![0], vec![1]]);
        assert!(cards(&[]).is_empty());
    }
}
