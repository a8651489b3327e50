//! TypeScript: what is loaded, what it does, and where errors are.

use crate::support::{call, load, load_ts};
use holdpoint_script::{Loaded, Program, ScriptError};
use serde_json::{Value, json};
use std::{path::Path, sync::Arc};

fn program(source: &str) -> Arc<Program> {
    load_ts(source).map_or_else(|error| panic!("{error}\n{source}"), Arc::new)
}

/// What the function `run` of a source returns.
async fn result(source: &str) -> Value {
    let program = program(source);
    let returned = call(&program, "run", json!({})).await;
    returned.unwrap_or_else(|error| panic!("{error}\n{source}"))
}

#[tokio::test]
async fn types_are_not_there_when_it_runs() {
    let check = async |body: &str, returned: Value| {
        assert_eq!(result(body).await, returned, "{body}");
    };
    check("export function run(): number { const a: number = 1; let b!: string; return a as any as number; }", json!(1)).await;
    check("type A = { x: 1 };\ninterface B extends C { y(): void }\nexport const run = (): A => ({ x: 1 } satisfies A);", json!({ "x": 1 })).await;
    check("export function run() { function f<T extends string>(this: void, x?: T, ...y: T[]): x is T { return !!x && y.length === 1; } return f<'a' | 'b'>('a', 'b'); }", json!(true)).await;
    check("declare const x: number; declare function f(): void; declare global { var y: 1 }\nexport function run() { return typeof x; }", json!("undefined")).await;
    check("function f(a: string): string;\nfunction f(a: number): number;\nfunction f(a: any) { return a; }\nexport function run() { return f(2); }", json!(2)).await;
    check("export function run() { const list: Array<[a: number, b?: string]> = [[1]]; return list[0]![0]!; }", json!(1)).await;
    check(
        "export function run() { try { throw 1; } catch (e: unknown) { return <number>e; } }",
        json!(1),
    )
    .await;
    check(
        "export function run() { return <any>{ a: 1 }; }",
        json!({ "a": 1 }),
    )
    .await;
    check("export function run() { return <\nany\n>\n5; }", json!(5)).await;
    check("const f = async <T,>(x: T): Promise<\n  T\n> => x;\nexport async function run() { return await f(3); }", json!(3)).await;
    check(
        "const f = async <\nT\n>(x: T) => x;\nexport async function run() { return await f(3); }",
        json!(3),
    )
    .await;
    check("namespace N { export type A = 1; export interface B {} }\nexport function run(): N.A { return 1; }", json!(1)).await;
    check("export type { A };\nexport { type A as C, b };\ntype A = 1;\nconst b = 1;\nexport function run() { return b; }", json!(1)).await;
    check("import type { A } from './other';\nimport { type B, C } from 'anything';\nimport D, * as E from 'fs';\nexport function run(c?: C, d?: D, e?: E.F) { return 1; }", json!(1)).await;
}

/// Only what is a type alone is not exported.
#[tokio::test]
async fn a_value_with_the_name_of_a_type_is_exported() {
    let exported = |source: &str| {
        let program = program(source);
        let methods = program.methods().iter();
        let names: Vec<_> = methods.map(|method| method.name.clone()).collect();
        (names, !program.permissions().run.is_empty())
    };
    let main = "export function main() {}\n";
    let run = vec!["main".to_owned(), "run".to_owned()];
    for source in [
        "interface Tools {}\nclass Tools { run() {} }\nexport { Tools };",
        "class Tools { run() {} }\nexport { Tools };\nfunction f() { type Tools = 1; interface Tools2 {} }",
        "type run = typeof run;\nconst { a: [run] } = { a: [function* () {}] };\nexport { run };",
        "function run() {}\ntype run = 1;\nexport { run, type Gone };\ntype Gone = 1;",
        "interface A {}\nfunction run() {}\nexport { A, run };",
    ] {
        let (mut names, _) = exported(&format!("{main}{source}"));
        names.sort();
        assert_eq!(names, run, "{source}");
    }
    let declared = "const permissions = { run: ['git'] };\ntype permissions = typeof permissions;\nexport { permissions };";
    assert!(exported(&format!("{main}{declared}")).1);
}

#[tokio::test]
async fn odd_places_of_types() {
    let check = async |source: &str, returned: Value| {
        assert_eq!(result(source).await, returned, "{source}");
    };
    check("function f(this: void /* ) */, b: number) { return b; }\nexport function run() { return f(4); }", json!(4)).await;
    check(
        "function f(this: void // )\n) { return 5; }\nexport function run() { return f(); }",
        json!(5),
    )
    .await;
    check("class A { constructor(private a: number) { 'use strict'\n } get() { return this.a } }\nexport function run() { return new A(6).get(); }", json!(6)).await;
    check("class A { constructor(private a: number) { 'use strict'; this.a++ } get() { return this.a } }\nexport function run() { return new A(6).get(); }", json!(7)).await;
    check("export function run() {\n  const y = [7]\n  let x = <any>\n  y!\n  ;[1].map(z => z)\n  return x\n}", json!([7])).await;
    check("export function run() {\n  const y = 8\n  let x = <any>\n  y!\n  if (x) x = <\nany>y!\n  else x = 1\n  return x\n}", json!(8)).await;
    check("let n = 0;\n<any>function () { n = 9; }();\n<any>class { static { n++ } };\nexport function run() { return n; }", json!(10)).await;
    check("enum E { eval, arguments, let, static, await, yield, public }\nexport function run() { return [E.eval, E.arguments, E.let, E.public, E[1]]; }", json!([0, 1, 2, 6, "arguments"])).await;
}

/// Where a type ended a line, the next one must not become a part of it.
#[tokio::test]
async fn lines_that_ended_with_a_type_still_end_there() {
    let check = async |source: &str, returned: Value| {
        assert_eq!(result(source).await, returned, "{source}");
    };
    check("export function run() {\n  const f = 1 as any\n  ;[0].forEach(() => {})\n  let g: number\n  [1].map(x => x)\n  return f\n}", json!(1)).await;
    check("export function run() {\n  let g = 2\n  type T = 1\n  ;(g as any)\n  const f = g as any\n  (0, 1)\n  return f\n}", json!(2)).await;
    check("class A {\n  get: string\n  x() { return 1 }\n  a = 1 as any;\n  *gen() {}\n  b = 2\n  private ['c'] = 3\n  readonly d?: string\n  [key: string]: any\n  protected static e = 5\n}\nexport function run() { const a: any = new A(); return [a.x(), a.a, a.b, a.c, A['e'], 'get' in a]; }", json!([1, 1, 2, 3, 5, true])).await;
}

#[tokio::test]
async fn classes_have_their_properties() {
    let source = r"
abstract class Base<T> {
  abstract name: string;
  abstract greet(): string;
  protected constructor(protected readonly greeting: string) {}
}
interface Named { name: string }
export class A extends Base<string> implements Named, Other<string> {
  declare later: number;
  name!: string;
  constructor(private count = 2, public override readonly x?: number) { super('Hello'); this.name = 'Ada'; }
  override greet() { return `${this.greeting}, ${this.name} ${this.count}`; }
  run() { return [this.greet(), Object.keys(this)]; }
}
";
    assert_eq!(
        result(source).await,
        json!(["Hello, Ada 2", ["greeting", "count", "x", "name"]])
    );
}

#[tokio::test]
async fn enums_are_objects() {
    let source = r"
enum Color { Red, Green = 5, Blue, /* , */ 'light grey' = 'grey', // , }
  Mixed = Green | 8, Color = 3, default }
export const enum Mode { On = 'on', Off = `off` }
enum Color { More = 100 }
declare enum Gone { A }
export function run() { return [Color.Red, Color[5], Color.Blue, Color['light grey'], Color.Mixed, Color.Color, Color.default, Color.More, Mode.Off]; }
";
    assert_eq!(
        result(source).await,
        json!([0, "Green", 6, "grey", 13, 3, 4, 100, "off"])
    );
}

#[test]
fn what_is_refused() {
    let mut told = String::new();
    let sources = [
        "export class A {\n  run(a: string {\n  }\n}",
        "export function run(): { const größe: string = 'ö' + ; }",
        "import fs from 'fs';\nexport function run() { return fs.readFileSync('x'); }",
        "import * as path from 'node:path';\nexport function run() { return path; }",
        "import fs = require('fs');\nexport function run() {}",
        "export = class {};",
        "namespace N { export const a = 1; }\nexport function run() {}",
        "export class A {\n  @log run() {}\n}",
        "export class A {\n  accessor x = 1;\n  run() {}\n}",
        "class B {}\nexport class A extends B {\n  constructor(private x: string) { if (x) super(); }\n  run() {}\n}",
        "export enum E { A, B } throw new Error('late');\nexport function run() {}",
        "export class A { constructor(private a: string) { null!.x; } static x: any = new A('');\n  run() {} }",
        "const größe: Größe = 1; null!.x;\nexport function run() {}",
        "interface A { run(): void }\nexport type { A };",
    ];
    for source in sources {
        let refused = load_ts(source).expect_err(source);
        told += &format!("{source}\n--\n{refused}\n\n");
    }
    insta::assert_snapshot!(told);
}

#[tokio::test]
async fn what_is_thrown_has_its_line_in_the_file() {
    let source = "interface A {\n  b: string\n}\n\nexport class T {\n  constructor(private a: string) {}\n  run(x: A): void {\n    const y: number = 1;\n    (x as any).b.c.d as string;\n  }\n}";
    let error = call(&program(source), "run", json!({ "b": "x" }))
        .await
        .unwrap_err();
    let ScriptError::Threw(uncaught) = &error.error else {
        panic!("{error:?}");
    };
    assert_eq!((uncaught.at.line, uncaught.at.column), (Some(9), Some(6)));
    let warned = error.logs.iter().map(|line| line.message.as_str());
    assert_eq!(
        warned.collect::<Vec<_>>(),
        ["the constructor is called without arguments: a is undefined"]
    );
}

#[tokio::test]
async fn odd_files_load() {
    let body = "export function run(): number { return 1 as number; }";
    for source in [
        format!("\u{feff}{body}"),
        format!("#!/usr/bin/env holdpoint\n{body}"),
        format!("// a\r\ntype A = {{\r\n  b: 1\r\n}}\r\n{body}\r\n"),
        format!("const html: string = '</script><!--';\n{body}"),
        format!("'use strict';\n{body}"),
        format!("type Größe = 'ö\u{2028}';\n{body}"),
    ] {
        assert_eq!(result(&source).await, json!(1), "{source}");
    }
}

#[test]
fn files_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let source = "export class A { run(): void {} }";
    for name in [
        "a.ts",
        "b-c.photon.ts",
        "d.photon.js",
        "types.d.ts",
        ".hidden.ts",
        "e.tsx",
        ".ts",
    ] {
        let source = if name.ends_with(".js") {
            "export class A { run() {} }"
        } else {
            source
        };
        std::fs::write(folder.path().join(name), source).unwrap();
    }
    let loaded = Loaded::read(folder.path(), &Loaded::default());
    let errors: Vec<_> = loaded.errors().collect();
    assert!(errors.is_empty(), "{errors:?}");
    let tools = loaded.programs().flat_map(|program| program.methods());
    let tools: Vec<_> = tools.map(|method| method.tool.as_str()).collect();
    assert_eq!(tools, ["a_run", "b_c_run", "d_run"]);
    let path = folder.path().join("b-c.photon.ts");
    let program = Program::load(&path).unwrap();
    assert_eq!((program.name(), program.file()), ("b-c", "b-c.photon.ts"));
    assert_eq!(
        program.digest(),
        holdpoint_ask::Digest::hash_bytes(source.as_bytes())
    );
}

/// What nests ends the parser's stack, and with it the process, unless it is given enough.
#[test]
fn what_is_nested_deep_is_refused_and_nothing_worse() {
    let check = |source: &str| {
        for file in ["a.ts", "a.js"] {
            let loaded = Program::from_source("a", Path::new(file), source);
            assert!(loaded.is_err(), "{file}: {}", &source[..40]);
        }
    };
    for size in [20_000, 1 << 20] {
        for (open, most) in [
            ("(", 1),
            ("[", 1),
            ("{", 1),
            ("!", 1),
            ("a=>", 3),
            ("a=", 2),
            ("a?", 2),
            ("a:", 2),
            ("-", 2),
            ("new ", 4),
            ("typeof ", 7),
            ("await ", 6),
            ("if(a)", 5),
            ("`${", 3),
            ("({a:", 4),
            ("x=class{y=", 10),
            ("do ", 3),
            ("async(", 6),
            ("function f(){", 13),
            ("a**", 3),
        ] {
            check(&open.repeat(size / most.max(2)));
        }
    }
    for open in [
        "let x: A<",
        "type X = keyof ",
        "let x: [",
        "let x: (",
        "let x: {a:",
    ] {
        let (head, nested) = open.split_at(open.rfind([' ', 'A']).unwrap());
        check(&format!("{head}{}", nested.repeat(100_000)));
    }
}

/// The parser tries several readings of each level, and cannot be stopped.
#[test]
fn what_takes_too_long_to_parse_is_given_up() {
    let source = "a<".repeat(14_000);
    let refused = Program::from_source("a", Path::new("a.ts"), &source).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a.ts: cannot be parsed: it is nested too deep, and takes too long"
    );
    // It burns on by itself; others load.
    let other = "export function run(): void {}";
    Program::from_source("b", Path::new("b.ts"), other).unwrap();
}

#[test]
fn long_chains_load_or_are_refused() {
    for (link, count) in [
        ("+1", 200_000),
        (".a", 200_000),
        ("()", 100_000),
        ("[0]", 60_000),
        ("!", 200_000),
        (" as a", 100_000),
    ] {
        let chain = link.repeat(count);
        let source =
            format!("const a: any = () => 1;\nexport function run() {{ return a{chain}; }}");
        let _ = Program::from_source("a", Path::new("a.ts"), &source);
    }
}

/// An error is where it would be if the types had never been there.
#[test]
fn places_are_those_of_the_same_javascript() {
    let check = |typescript: &str, javascript: &str| {
        let place = |error: holdpoint_script::LoadError| (error.line, error.column, error.message);
        let typed = place(load_ts(typescript).unwrap_err());
        assert!(typed.1.is_some(), "{typescript}");
        assert_eq!(typed, place(load(javascript).unwrap_err()), "{typescript}");
    };
    check(
        "const größe: Größe = 1; null!.x;\nexport function run() {}",
        "const größe        = 1; null .x;\nexport function run() {}",
    );
    check(
        "class A { constructor(private a: string) { null!.x; } }; new A('');",
        "class A { constructor(        a        ) { null .x; } }; new A('');",
    );
    check(
        "enum E { A, B = 2 } null!.x;",
        "            {     } null .x;",
    );
}
