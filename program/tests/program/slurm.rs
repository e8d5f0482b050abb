//! `examples/slurm.sh` on a Slurm cluster of one node that each test starts, with tasks cancelled in the middle.
//!
//! The tests need root and Debian's packages slurmctld, slurmd and slurm-client, and run if `DOVEMATE_TEST_WITH` asks
//! for `slurm`.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common;
use crate::common::program::{PROGRAM, Running, started, text};
use tempfile::TempDir;

/// A game of one dove against none, which has five rounds: Slurm takes seconds for each.
const GAME: [&str; 3] = ["--red", "A", "--green=-"];
const FOLDER: &str = "A-none-returns-mover-loses";

/// A Slurm cluster of one node.
struct Slurm {
    folder: TempDir,
    daemons: Vec<Running>,
}

impl Slurm {
    /// Starts a cluster; `None` if Slurm is not asked for.
    fn started() -> Option<Slurm> {
        let start =
            || Slurm::start().expect("Slurm is asked for, and none is installed that could be started");
        common::is_asked_for("slurm").then(start)
    }

    fn start() -> Option<Slurm> {
        let answer = |command: &str, argument: &str| {
            let output = Command::new(command).arg(argument).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let (user, host) = (answer("id", "-u")?, answer("hostname", "-s")?);
        // Without a configuration, every sbatch command but -V fails.
        let is_there = |name: &&str| Command::new(name).arg("-V").output().is_ok();
        let there = ["sbatch", "slurmd", "slurmctld"].iter().all(is_there);
        if user != "0" || !there {
            return None;
        }
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().display().to_string();
        for name in ["state", "spool"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        // Free ports, as another test of this kind may run on this host.
        let listeners = [0, 1].map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port"));
        let [controls, works] = listeners.map(|listener| listener.local_addr().expect("an address").port());
        // Nobody else can reach this cluster: it uses ports of this host only and knows no other host.
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controls}\nSlurmdPort={works}\n\
            AuthType=auth/none\nCredType=cred/none\nSlurmUser=root\nSlurmdUser=root\n\
            StateSaveLocation={path}/state\nSlurmdSpoolDir={path}/spool\n\
            SlurmctldPidFile={path}/slurmctld.pid\nSlurmdPidFile={path}/slurmd.pid\n\
            SlurmctldLogFile={path}/slurmctld.log\nSlurmdLogFile={path}/slurmd.log\n\
            ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\nReturnToService=2\n\
            SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerParameters=batch_sched_delay=0\n\
            Licenses=one:1\nNodeName={host} NodeAddr=127.0.0.1 CPUs=1\n\
            PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4\n"
        );
        fs::write(folder.path().join("slurm.conf"), configuration).expect("the configuration is written");
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        for arguments in [&["slurmctld", "-D", "-c"][..], &["slurmd", "-D"]] {
            let mut command = slurm.command(arguments[0]);
            slurm.daemons.push(started(command.args(&arguments[1..])));
        }
        let state = || slurm.command("sinfo").args(["-h", "-o", "%T"]).output().expect("sinfo starts").stdout;
        if common::waited(|| (state().trim_ascii() == b"idle").then_some(())).is_some() {
            return Some(slurm);
        }
        let log = |name: &str| fs::read_to_string(slurm.folder.path().join(name)).unwrap_or_default();
        panic!("Slurm is there and does not start:\n{}\n{}", log("slurmctld.log"), log("slurmd.log"));
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }

    fn tables(&self) -> PathBuf {
        self.folder.path().join("tables")
    }

    /// Runs the script, with the program in a wrapper: these lines of shell run before it, with its arguments,
    /// the number `$job` of the array, and `once NAME`, which succeeds the first time.
    fn script(&self, script: &Path, shares: &str, options: &str, wrapper: &str) -> Output {
        let (folder, path) = (self.folder.path().display(), self.folder.path().join("wrapper"));
        let lines = format!(
            "#!/bin/sh\njob=$SLURM_ARRAY_JOB_ID\nonce() {{ mkdir {folder}/once-$1 2>/dev/null; }}\n\
            case \"$*\" in {wrapper}\nesac\nexec {PROGRAM} \"$@\"\n"
        );
        fs::write(&path, lines).expect("the wrapper is written");
        assert!(Command::new("chmod").arg("+x").arg(&path).status().expect("chmod").success());
        let mut driver = self.command(script.to_str().expect("UTF-8"));
        driver.arg(shares).arg(self.tables()).args(GAME).env("DOVEMATE", path).env("SBATCH_OPTIONS", options);
        driver.output().expect("the script starts")
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.command("scontrol").arg("shutdown").output();
    }
}

/// The manifest of the tables, which has the checksums of all files.
fn manifest(tables: &Path) -> String {
    fs::read_to_string(tables.join(FOLDER).join("manifest.json")).expect("the tables are finished")
}

#[test]
fn two_tasks_a_round_solve_a_game() {
    let Some(submits) = common::repository("examples/slurm.sh") else { return };
    let Some(slurm) = Slurm::started() else { return };
    // In round 1 a task ends with 0 and has not done its share, as at a time limit; in round 2 one is cancelled.
    let wrapper = "*'--share 1:1:2/2'*) if once ended; then exit 0; fi;;
        *'--share 1:2:2/2'*) if once hung; then scancel ${job}_2; sleep 600; fi;;";
    let output = slurm.script(&submits, "2", "", wrapper);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let [last, first, second] = lines[..] else { panic!("{said}") };
    assert!(last.contains("the game is solved"), "{said}");
    for (line, round) in [(first, 1), (second, 2)] {
        let logs = line.strip_prefix(&format!("part 1, round {round}: a task failed; see ")).expect(&said);
        // The log of the task that failed is still there.
        let failed =
            Command::new("sh").args(["-c", &format!("grep -L 'is done' {logs}")]).output().expect("grep");
        assert!(text(&failed).trim().ends_with("-2.out"), "{said}{}", text(&failed));
    }

    let memory = slurm.folder.path().join("memory");
    let mut solve = Command::new(PROGRAM);
    let output = solve.arg("solve").args(GAME).args(["--quiet", "--tables"]).arg(&memory).output();
    assert!(output.expect("the program starts").status.success());
    assert_eq!(manifest(&slurm.tables()), manifest(&memory));
}

/// `sbatch --wait` ends with 0 for a cancelled task and for a cancelled round (Slurm 22.05 and 24.11).
#[test]
fn a_waiting_task_that_is_cancelled_is_submitted_again_and_a_cancelled_round_is_not() {
    let Some(submits) = common::repository("examples/slurm.sh") else { return };
    let Some(slurm) = Slurm::started() else { return };
    // With one licence, one task waits for the other.
    let wrapper = "*'--share 1:0:1/2'*) if once waiting; then scancel ${job}_2; fi;;
        *'--share 1:1:1/2'*) scancel $job; sleep 600;;";
    let output = slurm.script(&submits, "2", "--licenses=one", wrapper);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let said = text(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        matches!(lines[..], [again, "part 1, round 1 was cancelled"] if again.starts_with("part 1, round 0: a task")),
        "{said}"
    );
    assert!(
        slurm.tables().join(FOLDER).join("rounds/part-000/0000.json").exists(),
        "round 0 is not finished"
    );

    // More tasks than Slurm's MaxArraySize lets an array have.
    let output = slurm.script(&submits, "1001", "", "");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(text(&output).lines().count(), 1, "{}", text(&output));
}
