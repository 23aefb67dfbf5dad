//! Schemas of forms: an object of texts, numbers, yes or no, and choices, and nothing deeper.

use rmcp::model::ElicitationSchema;
use serde_json::{Map, Value as Json, json};
use toolpact::core::json::Value;

/// The formats of texts that forms know.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// How a form has choices that are described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Choices {
    /// With their names beside them, one of them at a time: before 2025-11-25.
    Named,
    #[default]
    Titled,
}

/// A schema as forms have it, or why there is none.
pub(super) fn write(schema: &Value, choices: Choices) -> Result<Json, String> {
    let mut schema: Json = schema.deserialize().map_err(|error| error.to_string())?;
    let nothing = "expected an object with `properties`";
    let fields = schema.get_mut("properties").and_then(Json::as_object_mut);
    for (name, field) in fields.ok_or(nothing)? {
        if !field
            .as_object_mut()
            .is_some_and(|field| flatten(field, choices))
        {
            let kinds = "a text, a number, yes or no, or a choice of texts";
            return Err(format!("expected `{name}` to be {kinds}"));
        }
    }
    let root = schema.as_object_mut().ok_or(nothing)?;
    root.retain(|key, _| {
        matches!(
            &**key,
            "type" | "properties" | "required" | "title" | "description"
        )
    });
    root.insert("type".to_owned(), "object".into());
    // What it says is what is sent.
    serde_json::from_value::<ElicitationSchema>(schema.clone())
        .map_err(|error| error.to_string())?;
    Ok(schema)
}

/// Brings a field into the form of fields, if it has one.
fn flatten(field: &mut Map<String, Json>, choices: Choices) -> bool {
    drop_null(field);
    entitle(field);
    if choices == Choices::Named {
        name(field);
    }
    let is_text = field.get("type").is_some_and(|kind| kind == "string");
    let known = |format: &Json| format.as_str().is_some_and(|f| FORMATS.contains(&f));
    if !field
        .get("format")
        .is_some_and(|format| is_text && known(format))
    {
        field.remove("format");
    }
    match field.get("type").and_then(Json::as_str) {
        Some("string" | "integer" | "number" | "boolean") => true,
        Some("array") if choices == Choices::Named => false,
        Some("array") => field.get_mut("items").is_some_and(|items| {
            let items = items.as_object_mut();
            items.is_some_and(|items| {
                entitle(items);
                items.contains_key("enum") || items.contains_key("anyOf") || rename_choices(items)
            })
        }),
        _ => false,
    }
}

/// What may be absent may be null to serde. In a form it is left empty.
fn drop_null(field: &mut Map<String, Json>) {
    let null = json!("null");
    if let Some(Json::Array(kinds)) = field.get_mut("type") {
        kinds.retain(|kind| *kind != null);
        if let [kind] = &kinds[..] {
            let kind = kind.clone();
            field.insert("type".to_owned(), kind);
        }
    }
    if let Some(Json::Array(arms)) = field.get_mut("anyOf") {
        arms.retain(|arm| arm.get("type") != Some(&null));
        if let [Json::Object(arm)] = &mut arms[..] {
            let arm = std::mem::take(arm);
            field.remove("anyOf");
            for (key, part) in arm {
                field.entry(key).or_insert(part);
            }
        }
    }
    if let Some(Json::Array(choices)) = field.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    if field.get("default").is_some_and(Json::is_null) {
        field.remove("default");
    }
}

/// Choices of which each is described: a form has a title for each.
fn entitle(field: &mut Map<String, Json>) {
    let Some(Json::Array(arms)) = field.get("oneOf") else {
        return;
    };
    let arm = |arm: &Json| {
        let value = arm.get("const")?.as_str()?;
        let title = arm.get("title").or_else(|| arm.get("description"));
        let title = title.and_then(Json::as_str).unwrap_or(value);
        Some(json!({"const": value, "title": title}))
    };
    let described: Option<Vec<Json>> = arms.iter().map(arm).collect();
    if let Some(arms) = described {
        field.insert("oneOf".to_owned(), arms.into());
        field.insert("type".to_owned(), "string".into());
    }
}

/// Choices with their titles beside them.
fn name(field: &mut Map<String, Json>) {
    let Some(Json::Array(arms)) = field.remove("oneOf") else {
        return;
    };
    let part = |key| {
        arms.iter()
            .map(|arm| arm[key].clone())
            .collect::<Vec<Json>>()
    };
    field.insert("enum".to_owned(), part("const").into());
    field.insert("enumNames".to_owned(), part("title").into());
}

/// Of several choices with titles, any may hold: they are named otherwise than those of one.
fn rename_choices(items: &mut Map<String, Json>) -> bool {
    let Some(arms) = items.remove("oneOf") else {
        return false;
    };
    items.remove("type");
    items.insert("anyOf".to_owned(), arms);
    true
}

#[cfg(test)]
mod tests {
    use super::{Choices, write};
    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;
    use serde_json::{Value as Json, json};
    use toolpact::core::json::Value;

    /// What becomes of a field of this type.
    fn field<T: JsonSchema>() -> Result<Json, String> {
        field_with::<T>(Choices::Titled)
    }

    fn field_with<T: JsonSchema>(choices: Choices) -> Result<Json, String> {
        let settings = SchemaSettings::draft2020_12();
        let settings = settings.with(|settings| settings.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<T>();
        let mut schema = schema.to_value();
        schema.as_object_mut().unwrap().remove("$schema");
        schema.as_object_mut().unwrap().remove("title");
        let form = json!({"type": "object", "properties": {"it": schema}});
        let form = Value::from_json(form.to_string()).unwrap();
        write(&form, choices).map(|mut form| form["properties"]["it"].take())
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Plain {
        Red,
        Blue,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Described {
        /// Like blood.
        Red,
        /// Like the sky.
        Blue,
    }

    #[test]
    fn fields_are_flat() {
        assert_eq!(field::<String>().unwrap(), json!({"type": "string"}));
        assert_eq!(field::<bool>().unwrap(), json!({"type": "boolean"}));
        assert_eq!(field::<i64>().unwrap(), json!({"type": "integer"}));
        assert_eq!(field::<f64>().unwrap(), json!({"type": "number"}));
        let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
        assert_eq!(field::<u8>().unwrap(), byte);
    }

    /// What may be null is left out of a form instead.
    #[test]
    fn nothing_is_null() {
        assert_eq!(field::<Option<String>>(), field::<String>());
        assert_eq!(field::<Option<u8>>(), field::<u8>());
        assert_eq!(field::<Option<Plain>>(), field::<Plain>());
        assert_eq!(field::<Option<Described>>(), field::<Described>());
    }

    #[test]
    fn choices_have_titles_where_they_are_described() {
        let plain = json!({"type": "string", "enum": ["Red", "Blue"]});
        assert_eq!(field::<Plain>().unwrap(), plain);
        let arms = json!([
            {"const": "Red", "title": "Like blood."},
            {"const": "Blue", "title": "Like the sky."},
        ]);
        let one = json!({"type": "string", "oneOf": arms});
        assert_eq!(field::<Described>().unwrap(), one);
        let many = field::<Vec<Described>>().unwrap();
        assert_eq!(many, json!({"type": "array", "items": {"anyOf": arms}}));
        let many = field::<Vec<Plain>>().unwrap();
        assert_eq!(many, json!({"type": "array", "items": plain}));
    }

    /// Before 2025-11-25 there were no titles, and no lists.
    #[test]
    fn choices_of_old() {
        let old = field_with::<Described>(Choices::Named).unwrap();
        let expected = json!({
            "type": "string",
            "enum": ["Red", "Blue"],
            "enumNames": ["Like blood.", "Like the sky."],
        });
        assert_eq!(old, expected);
        assert_eq!(field_with::<Plain>(Choices::Named), field::<Plain>());
        assert!(field_with::<Vec<Plain>>(Choices::Named).is_err());
    }

    #[test]
    fn what_is_deep_is_named() {
        type Deep = std::collections::BTreeMap<String, String>;
        let expected = "expected `it` to be a text, a number, yes or no, or a choice of texts";
        for error in [field::<Deep>(), field::<Vec<String>>(), field::<(u8, u8)>()] {
            assert_eq!(error.unwrap_err(), expected);
        }
        let none = Value::from_json(r#"{"type": "string"}"#).unwrap();
        assert!(write(&none, Choices::Titled).is_err());
    }
}
