#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| holdpoint_fuzz::json_schema_form::check(data));
