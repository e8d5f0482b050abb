//! A device as a [`Card`]: a batch is uploaded, dispatched in two stages, and its results are downloaded.

use std::collections::VecDeque;

use wgpu::BufferUsages as Usage;

use super::batches::{MAX_IN_FLIGHT, MAX_PLACEMENTS, RESULT_WORDS};
use super::driver::{Card, Collecting};
use super::layout::{HEAD_WORDS, TABLE_SIZE};
use super::protocol::Returned;
use super::setup::Setup;
use super::shaders::TABLES_PER_WORKGROUP;
use crate::gpu::device::Stage;
use crate::gpu::dispatch::{Download, Sent, test};
use crate::gpu::{Device, GpuError};

/// A device with the pipelines and buffers for counting.
#[derive(Debug)]
pub(crate) struct DeviceCard {
    device: Device,
    build_tables: Stage,
    count_placements: Stage,
    // Shared by all batches, because a queue executes them one after the other.
    batch: wgpu::Buffer,
    placements: wgpu::Buffer,
    results: wgpu::Buffer,
    /// The free downloads; those of the batches in flight are in `flights`.
    downloads: Vec<Download>,
    flights: VecDeque<(Download, Sent)>,
}

impl DeviceCard {
    /// Compiles the stages, makes the buffers, and checks the kernels' known answers. `slow` is as in
    /// [`Device::pipeline`].
    pub(crate) async fn new(
        device: Device,
        setup: &Setup,
        slow: &(dyn Fn() + Sync),
    ) -> Result<DeviceCard, GpuError> {
        let most = MAX_PLACEMENTS as u64;
        // Both are compiled at the same time.
        let build_tables = device.pipeline(&setup.build_tables, slow);
        let count_placements = device.pipeline(&setup.count_placement, slow);

        let batch = device.buffer("batch", 4 * HEAD_WORDS as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * most, Usage::STORAGE | Usage::COPY_DST);
        let tables = device.buffer("tables", most * TABLE_SIZE, Usage::STORAGE);
        let results_size = 4 * most * RESULT_WORDS as u64;
        let results = device.buffer("results", results_size, Usage::STORAGE | Usage::COPY_SRC);
        let constants = device.filled("constants", &setup.constants, Usage::STORAGE);

        let build_tables = device.stage(&build_tables.await?, &[&batch, &placements, &tables]);
        let buffers = [&batch, &constants, &tables, &placements, &results];
        let count_placements = device.stage(&count_placements.await?, &buffers);
        device.check()?;
        for known in &setup.known {
            let between = known.buffer.map(|name| if name == "tables" { &tables } else { &results });
            test(&device, known, between, slow).await?;
        }
        Ok(DeviceCard {
            build_tables,
            count_placements,
            downloads: (0..MAX_IN_FLIGHT).map(|_| Download::new(&device, results_size)).collect(),
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
        let (head, placements) = batch.split_at(HEAD_WORDS);
        self.device.queue.write_buffer(&self.batch, 0, bytemuck::cast_slice(head));
        self.device.queue.write_buffer(&self.placements, 0, bytemuck::cast_slice(placements));
        let number = placements.len() as u32;
        let stages =
            [(&self.build_tables, number.div_ceil(TABLES_PER_WORKGROUP)), (&self.count_placements, number)];
        let download = self.downloads.pop().expect("no more batches are sent than may be in flight");
        let size = 4 * (placements.len() * RESULT_WORDS) as u64;
        let sent = download.send(&self.device, &stages, &self.results, size);
        self.flights.push_back((download, sent));
    }

    fn collect(&mut self) -> Collecting<'_> {
        let (download, sent) = self.flights.pop_front().expect("a batch is under way");
        Box::pin(async move {
            let (results, stamps) = download.receive(&self.device, sent).await?;
            self.downloads.push(download);
            Ok(Returned { results, stamps })
        })
    }
}
