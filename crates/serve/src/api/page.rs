//! The description of the API for people to read and to try.

use askama::Template;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::path::Parameter;
use utoipa::openapi::{OpenApi, RefOr, Required};

use crate::refusal::Refusal;
use crate::views::html;
use crate::visitor::Visitor;
use crate::words::Words;

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    openapi: &'static str,
    operations: Vec<Operation<'a>>,
    types: Vec<(&'a str, String)>,
}

/// Something that can be asked.
struct Operation<'a> {
    method: &'static str,
    path: &'a str,
    about: &'a str,
    parameters: Vec<Asked<'a>>,
}

/// Something that is asked with it.
struct Asked<'a> {
    name: &'a str,
    about: &'a str,
    is_needed: bool,
}

/// Draws a description.
pub(crate) fn api_page(visitor: &Visitor, description: &OpenApi) -> Response {
    let operations = description.paths.paths.iter().flat_map(|(path, item)| {
        let methods = [("GET", &item.get), ("POST", &item.post), ("DELETE", &item.delete)];
        methods.into_iter().filter_map(move |(method, operation)| {
            let operation = operation.as_ref()?;
            let parameters = operation.parameters.iter().flatten();
            Some(Operation {
                method,
                path,
                about: operation.summary.as_deref().unwrap_or_default(),
                parameters: parameters.filter_map(asked).collect(),
            })
        })
    });
    let schemas = description.components.iter().flat_map(|components| &components.schemas);
    let written = |schema| serde_json::to_string_pretty(schema).unwrap_or_default();
    let types = schemas.map(|(name, schema)| (name.as_str(), written(schema))).collect();
    let page = ApiPage { visitor, w: visitor.words, openapi: super::OPENAPI, operations: operations.collect(), types };
    match page.render() {
        Ok(page) => html(visitor, page),
        Err(_) => Refusal::broken().into_response(),
    }
}

fn asked(parameter: &RefOr<Parameter>) -> Option<Asked<'_>> {
    let RefOr::T(parameter) = parameter else { return None };
    Some(Asked {
        name: &parameter.name,
        about: parameter.description.as_deref().unwrap_or_default(),
        is_needed: parameter.required == Required::True,
    })
}
