//! `examples/slurm.sh` on a Slurm cluster of one node that this test starts, with a task killed in the
//! middle.
//!
//! It needs root and Debian's packages slurmctld, slurmd and slurm-client; otherwise the test says that it is
//! skipped.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common;
use crate::common::program::{PROGRAM, text};
use tempfile::TempDir;

/// A game of one dove against none, which has five rounds: Slurm takes seconds for each.
const GAME: [&str; 3] = ["--red", "A", "--green=-"];
const FOLDER: &str = "A-none-returns-mover-loses";

/// A Slurm cluster of one node.
struct Slurm {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts it; `None` if Slurm cannot be started here.
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
            NodeName={host} NodeAddr=127.0.0.1 CPUs=1\n\
            PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4\n"
        );
        fs::write(folder.path().join("slurm.conf"), configuration).expect("the configuration is written");
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        for arguments in [&["slurmctld", "-D", "-c"][..], &["slurmd", "-D"]] {
            let mut command = slurm.command(arguments[0]);
            let daemon = command.args(&arguments[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            slurm.daemons.push(daemon.expect("the daemon starts"));
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
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.command("scontrol").arg("shutdown").output();
        for daemon in &mut self.daemons {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// The manifest of the tables, which has the checksums of all files.
fn manifest(tables: &Path) -> String {
    fs::read_to_string(tables.join(FOLDER).join("manifest.json")).expect("the tables are finished")
}

#[test]
fn two_tasks_a_round_solve_a_game() {
    let Some(submits) = common::repository("examples/slurm.sh") else { return };
    let Some(slurm) = Slurm::start() else {
        let is_required = std::env::var("DOVEMATE_REQUIRE_SLURM").as_deref() == Ok("1");
        assert!(!is_required, "no Slurm found that could be started, but one is required");
        return common::say_skipped(
            "the Slurm script is not run, as no Slurm is installed that could be started",
        );
    };
    let folder = slurm.folder.path();
    // A wrapper around the program that hangs in one task of round 2, so that the task gets killed.
    let wrapper = folder.join("wrapper");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *'--share 1:2:2/2'*)\n\
        if mkdir {0}/killed 2>/dev/null; then scancel $SLURM_JOB_ID; sleep 600; fi;; esac\nexec {PROGRAM} \"$@\"\n",
        folder.display()
    );
    fs::write(&wrapper, script).expect("the wrapper is written");
    assert!(Command::new("chmod").arg("+x").arg(&wrapper).status().expect("chmod").success());

    let mut driver = slurm.command(submits.to_str().expect("UTF-8"));
    let output = driver.arg("2").arg(folder.join("tables")).args(GAME).env("DOVEMATE", &wrapper).output();
    let output = output.expect("the script starts");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("the game is solved"), "{}", text(&output));
    assert!(text(&output).contains("part 1, round 2: a task failed"), "{}", text(&output));
    assert!(folder.join("killed").exists(), "no task was killed");

    let output = Command::new(PROGRAM)
        .arg("solve")
        .args(GAME)
        .args(["--quiet", "--tables"])
        .arg(folder.join("memory"))
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(manifest(&folder.join("tables")), manifest(&folder.join("memory")));
}
