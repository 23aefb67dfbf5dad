//! Secrets, which are in the environment.

/// The value of an environment variable.
pub(crate) fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| match error {
        std::env::VarError::NotPresent => {
            format!(
                "expected the environment variable `{name}`, found none; set it before the start"
            )
        }
        std::env::VarError::NotUnicode(_) => {
            format!("expected the environment variable `{name}` to be text, found other bytes")
        }
    })
}

/// The text with `${env:NAME}` replaced.
pub(crate) fn expand(text: &str) -> Result<String, String> {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let (inside, behind) = after
            .split_once('}')
            .ok_or("expected `${env:NAME}`, found no `}` after `${`")?;
        let name = inside
            .strip_prefix("env:")
            .ok_or("expected `${env:NAME}`, found `${` with something else in it")?;
        out.push_str(&variable(name)?);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn variables_are_replaced_and_mistakes_named() {
        let home = std::env::var("PATH").unwrap();
        assert_eq!(expand("a ${env:PATH} b").unwrap(), format!("a {home} b"));
        assert_eq!(expand("plain {arg}").unwrap(), "plain {arg}");
        for (text, expected) in [
            (
                "${env:TOOLPACT_NO_SUCH_VARIABLE}",
                "TOOLPACT_NO_SUCH_VARIABLE",
            ),
            ("${env:PATH", "no `}`"),
            ("${PATH}", "something else"),
        ] {
            assert!(expand(text).unwrap_err().contains(expected), "{text}");
        }
    }
}
