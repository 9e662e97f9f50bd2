//! A program on the other side of two pipes, which may do anything: write nothing, rubbish or without end,
//! read nothing, die.
//!
//! Reading and writing are done by threads of their own, so that nothing here waits longer than it was told
//! to; what is read ahead is bounded. When a [`Process`] goes, so does the program.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Lines that are read ahead.
const AHEAD: usize = 64;

/// How much of what the program complains of is kept.
const COMPLAINT: usize = 400;

/// How long a program whose input is closed may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(200);

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Lost {
    /// None came in time.
    #[error("did not answer within {} s", .0.as_secs_f64())]
    Late(Duration),
    /// The output has ended.
    #[error("ended{0}")]
    Ended(String),
    /// A line without end.
    #[error("wrote a line of more than {0} bytes")]
    TooLong(usize),
    /// Bytes that are not text.
    #[error("wrote something that is not text")]
    NotText,
}

/// A running program, read and written line by line.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<Result<String, Lost>>,
    complaint: Arc<Mutex<Vec<u8>>>,
    complaining: JoinHandle<()>,
}

impl Process {
    /// Starts a program with arguments. No line of its output may be longer than `longest` bytes.
    pub fn start(command: &[String], longest: usize) -> std::io::Result<Process> {
        let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (mut stdin, stdout, stderr) = (
            child.stdin.take().expect("the input is a pipe"),
            child.stdout.take().expect("the output is a pipe"),
            child.stderr.take().expect("the complaints are a pipe"),
        );
        let (input, lines) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (send, output) = mpsc::sync_channel(AHEAD);
        std::thread::spawn(move || read_lines(stdout, longest, &send));
        let complaint = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&complaint);
        let complaining = std::thread::spawn(move || keep_last_line(stderr, &kept));
        Ok(Process { child, input: Some(input), output, complaint, complaining })
    }

    /// Writes a line. A program that does not read it says so by not answering.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, waiting for it no longer than this.
    pub fn receive(&mut self, wait: Duration) -> Result<String, Lost> {
        match self.output.recv_timeout(wait) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(Lost::Late(wait)),
            Err(RecvTimeoutError::Disconnected) => Err(Lost::Ended(self.last_words())),
        }
    }

    /// Closes the program's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// How the program ended, if it does so within this time.
    pub fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        within(time, || self.child.try_wait().ok().flatten())
    }

    /// How the program ended and what it last complained of.
    fn last_words(&mut self) -> String {
        let status = self.wait(FAREWELL).map_or_else(String::new, |status| format!(" ({status})"));
        within(FAREWELL, || self.complaining.is_finished().then_some(()));
        let complaint = self.complaint.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match excerpt(&String::from_utf8_lossy(&complaint)) {
            words if words.is_empty() => status,
            words => format!("{status}: {words}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Asks every millisecond until there is an answer or the time is over.
fn within<T>(time: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        let answer = ask();
        if answer.is_some() || began.elapsed() >= time {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Text in a form and length that fits into a message of one line.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 160;
    let text = text.trim();
    let mut short: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push_str("...");
    }
    short
}

fn read_lines(output: impl Read, longest: usize, send: &SyncSender<Result<String, Lost>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let line = if line.len() > longest {
            Err(Lost::TooLong(longest))
        } else {
            String::from_utf8(line).map_err(|_| Lost::NotText)
        };
        let bad = line.is_err();
        if send.send(line.map(|l| l.trim_end_matches(['\n', '\r']).to_string())).is_err() || bad {
            return;
        }
    }
}

/// Reads to the end and keeps the beginning of the last line that says something.
fn keep_last_line(complaints: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut complaints = BufReader::new(complaints);
    let mut fresh = true;
    while let Ok(buffer) = complaints.fill_buf()
        && !buffer.is_empty()
    {
        let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for &byte in buffer {
            if byte == b'\n' {
                fresh = true;
            } else if fresh {
                fresh = false;
                kept.clear();
                kept.push(byte);
            } else if kept.len() < COMPLAINT {
                kept.push(byte);
            }
        }
        drop(kept);
        let used = buffer.len();
        complaints.consume(used);
    }
}
