//! A device as a [`Card`]: a batch is uploaded, dispatched in two stages, and its results are downloaded.

use std::collections::VecDeque;

use wgpu::BufferUsages as Usage;

use super::driver::{Card, Returned};
use super::setup::Setup;
use crate::gpu::dispatch::{Download, Sent, Stage};
use crate::gpu::{Device, GpuError, kernel};
use crate::join::join;

/// A device with the pipelines and buffers for counting.
pub(super) struct DeviceCard {
    device: Device,
    build_tables: (wgpu::ComputePipeline, wgpu::BindGroup),
    count_placements: (wgpu::ComputePipeline, wgpu::BindGroup),
    tables_per_workgroup: u32,
    head_words: usize,
    result_words: usize,
    // Shared by all batches, as a queue works on one after the other.
    batch: wgpu::Buffer,
    placements: wgpu::Buffer,
    results: wgpu::Buffer,
    /// The downloads that are free; those of the batches in flight are in `flights`.
    downloads: Vec<Download>,
    flights: VecDeque<(Download, Sent)>,
}

impl DeviceCard {
    /// Compiles the stages, makes the buffers, and checks the kernels' known answers.
    pub(super) fn new(device: Device, setup: &Setup) -> Result<DeviceCard, GpuError> {
        let most = setup.placements_in_batch as u64;
        let compile = |module: &_| device.pipeline(Clone::clone(module));
        let (build_tables, count_placements) =
            join(|| compile(&setup.build_tables), || compile(&setup.count_placement));
        let (build_tables, count_placements) = (build_tables?, count_placements?);

        let batch = device.buffer("batch", 4 * setup.head_words as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * most, Usage::STORAGE | Usage::COPY_DST);
        let tables = device.buffer("tables", most * setup.table_bytes, Usage::STORAGE);
        let results_size = 4 * most * setup.result_words as u64;
        let results = device.buffer("results", results_size, Usage::STORAGE | Usage::COPY_SRC);
        let constants_size = 4 * setup.constants.len() as u64;
        let constants = device.buffer("constants", constants_size, Usage::STORAGE | Usage::COPY_DST);
        device.queue.write_buffer(&constants, 0, bytemuck::cast_slice(&setup.constants));

        let table_bindings = device.bind(&build_tables, &[&batch, &placements, &tables]);
        let count_bindings =
            device.bind(&count_placements, &[&batch, &constants, &tables, &placements, &results]);
        device.check()?;
        for known in &setup.known {
            let between = match known.buffer {
                Some("tables") => Some(&tables),
                Some(_) => Some(&results),
                None => None,
            };
            kernel::test(&device, &known.known, between)?;
        }
        Ok(DeviceCard {
            build_tables: (build_tables, table_bindings),
            count_placements: (count_placements, count_bindings),
            tables_per_workgroup: setup.tables_per_workgroup,
            head_words: setup.head_words,
            result_words: setup.result_words,
            downloads: (0..setup.max_in_flight).map(|_| Download::new(&device, results_size)).collect(),
            flights: VecDeque::new(),
            batch,
            placements,
            results,
            device,
        })
    }
}

impl Card for DeviceCard {
    fn submit(&mut self, batch: &[u32]) {
        let (head, placements) = batch.split_at(self.head_words);
        self.device.queue.write_buffer(&self.batch, 0, bytemuck::cast_slice(head));
        self.device.queue.write_buffer(&self.placements, 0, bytemuck::cast_slice(placements));
        let number = placements.len() as u32;
        let stage = |(pipeline, bindings), workgroups| Stage { pipeline, bindings, workgroups };
        let (build, count) = (&self.build_tables, &self.count_placements);
        let stages = [
            stage((&build.0, &build.1), number.div_ceil(self.tables_per_workgroup)),
            stage((&count.0, &count.1), number),
        ];
        let download = self.downloads.pop().expect("no more batches are sent than may be in flight");
        let size = 4 * (placements.len() * self.result_words) as u64;
        let sent = download.send(&self.device, &stages, &self.results, size);
        self.flights.push_back((download, sent));
    }

    fn collect(&mut self) -> Result<Returned, GpuError> {
        let (download, sent) = self.flights.pop_front().expect("a batch is under way");
        let (results, stamps) = download.receive(&self.device, sent)?;
        self.downloads.push(download);
        Ok(Returned { results, stamps })
    }
}
