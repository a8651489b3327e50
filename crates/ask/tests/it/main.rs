//! What the ask room promises, over generated forms and answers.

mod properties;
