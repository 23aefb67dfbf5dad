//! Tools in any dialect, as JSON and as YAML: no input makes an import or an export panic, what is
//! exported can be read again, and without losses it is the same contract.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, import};
use toolpact_core::json::{Document, Format, Limits};

fuzz_target!(|data: &[u8]| {
    // The first byte says as what it is read, or that it is to be found out.
    let Some((first, data)) = data.split_first() else {
        return;
    };
    let dialect = Dialect::ALL.get(usize::from(*first));
    for format in [Format::Json, Format::Yaml] {
        let document = Document::parse(data, format, &Limits::default());
        let found = match dialect {
            Some(dialect) => dialect.import(&document),
            None => import(&document),
        };
        let Ok(found) = found else { continue };
        // One tool after the other: they have nothing to do with each other.
        for contract in found.contracts().take(3) {
            everywhere(contract);
        }
    }
});

fn everywhere(contract: &Contract) {
    for dialect in Dialect::ALL {
        let export = dialect.export([contract]);
        let Some(tool) = export.tools().first() else {
            continue;
        };
        let text = export.document();
        let document = Document::json(text.text().as_bytes(), &Limits::default().depth(1_000));
        let back = dialect.import(&document);
        let back = back.unwrap_or_else(|v| panic!("{dialect}: {v}\n{text}"));
        let lossless = tool.losses().is_empty();
        match back.tools().first() {
            Some(back) if lossless => assert_eq!(back.contract.digest(), contract.digest()),
            Some(_) => {}
            None => assert!(!lossless, "{dialect}: {:?}\n{text}", back.left_out()),
        }
    }
}
