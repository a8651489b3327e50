//! Open asks of many clients in one HTTP server, of the newer era, with the limits as shipped: what they keep of
//! its memory, how fast they are opened, and whether each answer, given in random order, ends its own call.
//!
//! For the server's limits a client is a principal, and over HTTP that is the holder of a token.

use bench::{
    figures::{Figure, Figures},
    http_client::{Era, HttpClient, HttpServer, Question},
    process,
    servers::{self, Over, Places, Server},
};
use clap::Parser;
use futures::future::try_join_all;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use std::{
    cell::{Cell, RefCell},
    path::PathBuf,
    time::{Duration, Instant},
};

/// Measures open asks in one HTTP server.
#[derive(Parser)]
struct Args {
    /// How many asks are open.
    #[arg(long, default_value_t = 1_000_000)]
    asks: usize,
    /// How many clients ask.
    #[arg(long, default_value_t = 1_000)]
    clients: usize,
    /// How many calls are in flight.
    #[arg(long, default_value_t = 64)]
    in_flight: usize,
    #[command(flatten)]
    places: Places,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The rate is looked at for each so many.
const LOT: usize = 10_000;

/// A client's answer that comes sooner is not taken for a person's.
const READING: Duration = Duration::from_millis(500);

const JOURNAL: &str = "waiting.db";

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    // Beside what is built, so on a disk.
    let disk = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(disk.path(), "")?;
    match measure(&args).await {
        Ok(figures) => Figures::new(figures).report(args.json.as_deref()),
        Err(error) => {
            eprint!("{}", args.places.log());
            Err(error)
        }
    }
}

async fn measure(args: &Args) -> anyhow::Result<Vec<Figure>> {
    let tokens = args.places.tokens(JOURNAL, args.clients).await?;
    let mut command = args
        .places
        .command(Server::Holdpoint, Over::Http(Era::Newer), JOURNAL)?;
    let server = HttpServer::start(&mut command)?;
    let asking = Asking {
        server: &server,
        tokens: &tokens,
        in_flight: args.in_flight,
        questions: RefCell::default(),
    };
    // Every client has been here once, and what the server makes for the first of them is there.
    asking.warm_up().await?;
    let before = process::settled_resident(server.pid())?;

    eprintln!("opening {} asks of {} clients", args.asks, args.clients);
    let (began, lots) = (Instant::now(), asking.open(args.asks).await?);
    let opened = began.elapsed();
    let after = process::settled_resident(server.pid())?;
    tokio::time::sleep(READING).await;

    eprintln!("answering them");
    let began = Instant::now();
    let wrong = asking.answer(args.asks).await?;
    let answered = began.elapsed();
    let left = process::settled_resident(server.pid())?;

    let rate = |count: usize, time: Duration| count as f64 / time.as_secs_f64();
    let usual = rate(LOT.min(args.asks), lots[0]);
    let slowest = lots.iter().copied().max().unwrap_or_default();
    let each = (after as f64 - before as f64) / args.asks as f64 / 1e3;
    Ok(vec![
        Figure::new(
            format!("memory with {} asks open", args.asks),
            after as f64 / 1e6,
            "MB",
        )
        .under(1_000.0)
        .note(format!("{:.1} MB before", before as f64 / 1e6)),
        Figure::new("an open ask", each, "KB").at_most(1.0),
        Figure::new("opening, the first 10,000", usual, "asks/s"),
        Figure::new(
            "opening all / the first 10,000",
            rate(args.asks, opened) / usual,
            "x",
        )
        .at_least(0.5)
        .note(format!(
            "{:.0} asks/s; the slowest {LOT} at {:.0}",
            rate(args.asks, opened),
            rate(LOT.min(args.asks), slowest)
        )),
        Figure::new(
            "answering in random order",
            rate(args.asks, answered),
            "asks/s",
        ),
        Figure::new(
            "answers that did not end their own call",
            wrong.len() as f64,
            "",
        )
        .at_most(0.0)
        .note(wrong.first().cloned().unwrap_or_default()),
        Figure::new("memory when all are answered", left as f64 / 1e6, "MB"),
    ])
}

/// Clients that ask and answer, so many at a time.
struct Asking<'a> {
    server: &'a HttpServer,
    tokens: &'a [String],
    in_flight: usize,
    questions: RefCell<Questions>,
}

/// What goes back with each answer: little, and in one place.
#[derive(Default)]
struct Questions {
    text: String,
    /// Where the question of each number is: its id, and its state.
    at: Vec<(usize, u16, u16)>,
}

impl Asking<'_> {
    async fn warm_up(&self) -> anyhow::Result<()> {
        let numbers: Vec<u32> = (0..self.tokens.len() as u32).collect();
        self.each(&numbers, async |client, number| {
            let call = 1_000_000_000 + u64::from(number);
            let question = client.ask(call).await?;
            tokio::time::sleep(READING).await;
            client.answer(call, &question).await
        })
        .await
    }

    /// Opens so many; the times that each lot took.
    async fn open(&self, asks: usize) -> anyhow::Result<Vec<Duration>> {
        self.questions.borrow_mut().at = vec![(0, 0, 0); asks];
        let numbers: Vec<u32> = (0..asks as u32).collect();
        let mut lots = Vec::new();
        for lot in numbers.chunks(LOT) {
            let began = Instant::now();
            self.each(lot, async |client, number| {
                let question = client.ask(u64::from(number)).await?;
                self.questions.borrow_mut().keep(number, &question)
            })
            .await?;
            lots.push(began.elapsed());
        }
        Ok(lots)
    }

    /// Answers all in random order; what those said that ended otherwise than with their own answer.
    async fn answer(&self, asks: usize) -> anyhow::Result<Vec<String>> {
        let mut numbers: Vec<u32> = (0..asks as u32).collect();
        numbers.shuffle(&mut StdRng::seed_from_u64(17));
        let wrong = RefCell::new(Vec::new());
        self.each(&numbers, async |client, number| {
            let question = self.questions.borrow().get(number);
            if let Err(error) = client.answer(u64::from(number), &question).await {
                let said = format!("{error:#}").replace('\n', " ");
                wrong.borrow_mut().push(said);
                // The rest of what it said is not read.
                *client = self.connect().await?;
            }
            Ok(())
        })
        .await?;
        Ok(wrong.into_inner())
    }

    /// Does this for each number, over as many connections as calls are in flight.
    async fn each(
        &self,
        numbers: &[u32],
        run: impl AsyncFn(&mut HttpClient, u32) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let next = Cell::new(0);
        let workers = (0..self.in_flight).map(async |_| {
            let mut client = self.connect().await?;
            while let Some(&number) = numbers.get(next.replace(next.get() + 1)) {
                client.speak_as(&self.tokens[number as usize % self.tokens.len()]);
                run(&mut client, number).await?;
            }
            anyhow::Ok(())
        });
        try_join_all(workers).await?;
        Ok(())
    }

    async fn connect(&self) -> anyhow::Result<HttpClient> {
        HttpClient::connect(self.server.address(), Era::Newer, None).await
    }
}

impl Questions {
    fn keep(&mut self, number: u32, question: &Question) -> anyhow::Result<()> {
        let state = question.state.as_deref().unwrap_or_default();
        self.at[number as usize] = (
            self.text.len(),
            question.id.len().try_into()?,
            state.len().try_into()?,
        );
        self.text += &question.id;
        self.text += state;
        Ok(())
    }

    fn get(&self, number: u32) -> Question {
        let (start, id, state) = self.at[number as usize];
        let middle = start + usize::from(id);
        Question {
            id: self.text[start..middle].to_owned(),
            state: Some(self.text[middle..middle + usize::from(state)].to_owned()),
        }
    }
}
