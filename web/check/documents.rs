//! The types of the JSON documents, as TypeScript: of every struct in `web/src` that is serialized, and of all that these
//! mention. An attribute or a type without a translation is an error, so that no document is described wrongly.
//!
//! `web/check/run` gives the folders of sources as arguments, those of the documents first.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, Field, Fields, GenericArgument, GenericParam, Ident, Item, ItemEnum, ItemImpl,
    ItemStruct, Lit, Meta, PathArguments, Stmt, Token, Type,
};

/// The macros that serialize types as text.
const AS_TEXT: [&str; 2] = ["serialized_as_text", "written_as_its_name"];

/// How a type is serialized.
enum Form {
    Struct(ItemStruct),
    Enum(ItemEnum),
    /// As another type.
    As(String),
    Text,
}

/// Everything that the sources serialize, by name.
#[derive(Default)]
struct Sources {
    forms: BTreeMap<String, Form>,
}

fn main() -> Result<()> {
    let mut sources = Sources::default();
    let mut wanted = BTreeSet::new();
    for (index, folder) in env::args().skip(1).enumerate() {
        sources.read_folder(Path::new(&folder))?;
        if index == 0 {
            wanted.extend(sources.forms.keys().cloned());
        }
    }
    let mut written = BTreeMap::new();
    while let Some(name) = wanted.pop_first() {
        let mut mentioned = BTreeSet::new();
        let declaration = sources.declaration(&name, &mut mentioned).context(name.clone())?;
        written.insert(name, declaration);
        wanted.extend(mentioned.into_iter().filter(|name| !written.contains_key(name)));
    }
    println!(
        "// The documents of doc/interface.md. web/check/run writes this file from the structs that are serialized."
    );
    for declaration in written.values() {
        println!("\n{declaration}");
    }
    Ok(())
}

impl Sources {
    fn read_folder(&mut self, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                self.read_folder(&path)?;
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let file = syn::parse_file(&fs::read_to_string(&path)?)
                    .with_context(|| path.display().to_string())?;
                file.items.into_iter().try_for_each(|item| self.read(item))?;
            }
        }
        Ok(())
    }

    fn read(&mut self, item: Item) -> Result<()> {
        match item {
            Item::Struct(item) if is_serialized(&item.attrs)? => {
                let into = serde(&item.attrs)?.remove("into").flatten();
                self.forms.insert(item.ident.to_string(), into.map_or(Form::Struct(item), Form::As));
            }
            Item::Enum(item) if is_serialized(&item.attrs)? => {
                self.forms.insert(item.ident.to_string(), Form::Enum(item));
            }
            Item::Impl(item) => {
                self.forms.extend(serialized_as(&item));
            }
            Item::Macro(item)
                if AS_TEXT
                    .iter()
                    .any(|name| item.mac.path.segments.last().is_some_and(|last| last.ident == name)) =>
            {
                // What follows the names of types, such as a literal, is the macro's own.
                let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(item.mac.tokens)?;
                for argument in arguments {
                    if let Expr::Path(name) = argument
                        && let Some(name) = name.path.get_ident()
                    {
                        self.forms.insert(name.to_string(), Form::Text);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The declaration of a type; the names of others are added to `mentioned`.
    fn declaration(&self, name: &str, mentioned: &mut BTreeSet<String>) -> Result<String> {
        Ok(
            match self.forms.get(name).context("it is not serialized, or in a way that is not known here")? {
                Form::Text => format!("export type {name} = string;"),
                Form::As(other) => {
                    mentioned.insert(other.clone());
                    format!("export type {name} = {other};")
                }
                Form::Enum(item) => {
                    let style =
                        serde(&item.attrs)?.remove("rename_all").flatten().context("no rename_all")?;
                    let mut names = Vec::new();
                    for variant in &item.variants {
                        ensure!(matches!(variant.fields, Fields::Unit), "{} has fields", variant.ident);
                        names.push(format!("\"{}\"", renamed(&variant.ident, &style)?));
                    }
                    format!("export type {name} = {};", names.join(" | "))
                }
                Form::Struct(item) => {
                    let is_type = |parameter: &GenericParam| match parameter {
                        GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
                        _ => None,
                    };
                    let generics: Vec<String> = item.generics.params.iter().filter_map(is_type).collect();
                    let (mut fields, mut flattened) = (String::new(), Vec::new());
                    for field in &item.fields {
                        self.field(field, &mut fields, &mut flattened, mentioned)?;
                    }
                    mentioned.retain(|name| !generics.contains(name));
                    let generics = if generics.is_empty() {
                        String::new()
                    } else {
                        format!("<{}>", generics.join(", "))
                    };
                    let own = if fields.is_empty() { String::new() } else { format!("{{\n{fields}}}") };
                    let parts: Vec<String> =
                        Some(own).into_iter().filter(|own| !own.is_empty()).chain(flattened).collect();
                    format!("export type {name}{generics} = {};", parts.join(" & "))
                }
            },
        )
    }

    /// Adds a field to those of its struct, or to the types that are flattened into it.
    fn field(
        &self,
        field: &Field,
        fields: &mut String,
        flattened: &mut Vec<String>,
        mentioned: &mut BTreeSet<String>,
    ) -> Result<()> {
        let ident = field.ident.as_ref().context("a field without a name")?;
        let mut attributes = serde(&field.attrs)?;
        let key = attributes.remove("rename").flatten().unwrap_or_else(|| ident.unraw().to_string());
        let (is_flat, is_text) =
            (attributes.remove("flatten").is_some(), attributes.remove("serialize_with").is_some());
        let is_skipped = attributes.remove("skip_serializing_if").is_some();
        attributes.retain(|name, _| !name.starts_with("deserialize"));
        ensure!(attributes.is_empty(), "{ident}: {attributes:?}");
        let optional = argument(&field.ty, "Option");
        if is_flat {
            let inner =
                typescript(optional.unwrap_or(&field.ty), mentioned).with_context(|| ident.to_string())?;
            flattened.push(if optional.is_some() { format!("Partial<{inner}>") } else { inner });
            return Ok(());
        }
        let ty = if is_text {
            "string".to_owned()
        } else {
            let ty = if is_skipped { optional.unwrap_or(&field.ty) } else { &field.ty };
            typescript(ty, mentioned).with_context(|| ident.to_string())?
        };
        fields.push_str(&format!("  {key}{}: {ty};\n", if is_skipped { "?" } else { "" }));
        Ok(())
    }
}

/// Whether a type derives `Serialize`.
fn is_serialized(attributes: &[Attribute]) -> Result<bool> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let derived = attribute.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated)?;
        if derived.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == "Serialize")) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The attributes of serde, each with its text if it has one.
fn serde(attributes: &[Attribute]) -> Result<BTreeMap<String, Option<String>>> {
    let mut all = BTreeMap::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        for meta in attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            let name = meta.path().get_ident().context("an attribute with a path")?.to_string();
            let text = match meta {
                Meta::NameValue(pair) => match pair.value {
                    Expr::Lit(literal) => match literal.lit {
                        Lit::Str(text) => Some(text.value()),
                        _ => bail!("{name} is not a text"),
                    },
                    _ => bail!("{name} is not a literal"),
                },
                _ => None,
            };
            all.insert(name, text);
        }
    }
    Ok(all)
}

/// The type of an `impl Serialize`, and how it is serialized: by the fields of a struct, or as text.
fn serialized_as(item: &ItemImpl) -> Option<(String, Form)> {
    let (_, of, _) = item.trait_.as_ref()?;
    let Type::Path(name) = &*item.self_ty else { return None };
    let is_serialize = of.segments.last()?.ident == "Serialize";
    let syn::ImplItem::Fn(function) = item.items.first().filter(|_| is_serialize)? else { return None };
    let Some(Stmt::Expr(Expr::MethodCall(call), None)) = function.block.stmts.last() else { return None };
    let form = match &*call.receiver {
        Expr::Struct(fields) => Form::As(fields.path.get_ident()?.to_string()),
        _ if call.method == "serialize_str" => Form::Text,
        _ => return None,
    };
    Some((name.path.get_ident()?.to_string(), form))
}

/// The name of a variant in a style of serde.
fn renamed(variant: &Ident, style: &str) -> Result<String> {
    let name = variant.to_string();
    Ok(match style {
        "lowercase" => name.to_lowercase(),
        "kebab-case" => {
            let part = |(index, letter): (usize, char)| match letter.is_ascii_uppercase() && index > 0 {
                true => format!("-{}", letter.to_ascii_lowercase()),
                false => letter.to_ascii_lowercase().to_string(),
            };
            name.chars().enumerate().map(part).collect()
        }
        style => bail!("rename_all = \"{style}\""),
    })
}

/// The argument of a type with this name, such as `T` of `Option<T>`.
fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// A type in TypeScript; the names of structs and enums are added to `mentioned`.
fn typescript(ty: &Type, mentioned: &mut BTreeSet<String>) -> Result<String> {
    let path = match ty {
        Type::Reference(reference) => return typescript(&reference.elem, mentioned),
        Type::Slice(slice) => return Ok(format!("{}[]", typescript(&slice.elem, mentioned)?)),
        Type::Array(array) => {
            let Expr::Lit(literal) = &array.len else { bail!("an array whose length is no literal") };
            let Lit::Int(length) = &literal.lit else { bail!("an array whose length is no number") };
            let element = typescript(&array.elem, mentioned)?;
            return Ok(format!("[{}]", vec![element; length.base10_parse()?].join(", ")));
        }
        Type::Tuple(tuple) => {
            let parts: Result<Vec<String>> =
                tuple.elems.iter().map(|part| typescript(part, mentioned)).collect();
            return Ok(format!("[{}]", parts?.join(", ")));
        }
        Type::Path(path) => path,
        _ => bail!("a type that is not known here"),
    };
    let last = path.path.segments.last().context("a type without a name")?;
    let mut arguments = Vec::new();
    if let PathArguments::AngleBracketed(given) = &last.arguments {
        for argument in &given.args {
            if let GenericArgument::Type(ty) = argument {
                arguments.push(typescript(ty, mentioned)?);
            }
        }
    }
    Ok(match (&*last.ident.to_string(), &*arguments) {
        ("String" | "str" | "char", []) => "string".to_owned(),
        ("bool", []) => "boolean".to_owned(),
        ("u8" | "i8" | "u32" | "u64" | "usize" | "f64", []) => "number".to_owned(),
        ("Option", [inner]) => format!("{inner} | null"),
        ("Vec", [inner]) if inner.contains(' ') && !inner.starts_with('[') => format!("({inner})[]"),
        ("Vec", [inner]) => format!("{inner}[]"),
        ("BTreeMap", [_, value]) => format!("Record<string, {value}>"),
        // An alias of the sources.
        ("CellDocument", []) => "[number, number]".to_owned(),
        (name, arguments) => {
            mentioned.insert(name.to_owned());
            if arguments.is_empty() { name.to_owned() } else { format!("{name}<{}>", arguments.join(", ")) }
        }
    })
}
