//! Tells the program from which commit it is built.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
    };
    println!("cargo::rerun-if-changed=build.rs");
    for path in ["HEAD", "logs/HEAD"] {
        if let Some(path) =
            git(&["rev-parse", "--git-path", path]).filter(|p| std::path::Path::new(p).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_string());
    println!("cargo::rustc-env=FOGTREE_COMMIT={commit}");
}
