//! Calls: checks the name and the arguments in one pass.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::literal::Literal;
use super::machine::{EndOffset, LEVEL, Machine, Scratch, Stop, is_spaced};
use super::names::Names;
use super::program::{ANY, NodeId, Program};

/// The functions that can be called.
#[derive(Debug)]
pub(crate) struct CallProgram {
    program: Program,
    names: Names,
    /// The node of the arguments of each function; `None` if they are checked elsewhere.
    arguments: Box<[Option<NodeId>]>,
    /// `"get_weather"` for each function.
    literals: Box<[Literal]>,
    /// The function that was called last.
    guess: AtomicUsize,
    name: Literal,
    args: Literal,
}

/// The deepest nesting of arguments, which are one level deep already.
const DEPTH: u32 = super::machine::DEPTH - LEVEL;

impl CallProgram {
    /// `arguments` adds the node of each function to the program. `None` if there are too many.
    pub(crate) fn new(
        names: Vec<Box<str>>,
        arguments: impl FnOnce(&mut Program) -> Vec<Option<u32>>,
    ) -> Option<Self> {
        let mut program = Program::default();
        let arguments = arguments(&mut program);
        program.finish();
        Some(Self {
            program,
            literals: names.iter().map(|name| Literal::string(name)).collect(),
            guess: AtomicUsize::new(0),
            names: Names::new(names)?,
            arguments: arguments.into(),
            name: Literal::key("name"),
            args: Literal::key("args"),
        })
    }

    /// Checks the text of a call. Returns which function it calls.
    pub(crate) fn run(&self, bytes: &[u8], scratch: &mut Scratch) -> Result<usize, Stop> {
        match is_spaced(bytes) {
            true => self.run_as::<true>(bytes, scratch),
            false => self.run_as::<false>(bytes, scratch),
        }
    }

    fn run_as<const SPACED: bool>(
        &self,
        bytes: &[u8],
        scratch: &mut Scratch,
    ) -> Result<usize, Stop> {
        let mut machine = Machine::<SPACED>::new(&self.program, bytes, scratch)?;
        let open = machine.space(0);
        if machine.byte(open) != b'{' {
            return Err(Stop::Mismatch);
        }
        let at = machine.space(open + 1);
        let (function, end) = match self.name.is_at(bytes, at) {
            true => self.name_first(&mut machine, at)?,
            false => self.args_first(&mut machine, at)?,
        };
        let close = machine.space(end);
        match machine.byte(close) {
            b'}' => machine.end(close + 1)?,
            // Another member: an unknown one, or a duplicate.
            b',' => return Err(Stop::Mismatch),
            _ => return Err(Stop::Malformed),
        }
        Ok(function)
    }

    #[inline(always)]
    fn name_first<const SPACED: bool>(
        &self,
        machine: &mut Machine<'_, SPACED>,
        at: usize,
    ) -> Result<(usize, usize), Stop> {
        let (function, end) = self.function(machine, at + self.name.len())?;
        let start = Self::next_is(&self.args, machine, end)?;
        let end = self.arguments(machine, function, start)?;
        Ok((function, end))
    }

    /// Arguments before the name: they are skipped until the function is known, and then checked.
    #[cold]
    fn args_first<const SPACED: bool>(
        &self,
        machine: &mut Machine<'_, SPACED>,
        at: usize,
    ) -> Result<(usize, usize), Stop> {
        if !machine.is_at(&self.args, at) {
            return Err(Stop::Unsure);
        }
        let start = machine.space(at + self.args.len());
        let end = machine.value(ANY, start, DEPTH)?;
        let name = Self::next_is(&self.name, machine, end)?;
        let (function, end) = self.function(machine, name)?;
        self.arguments(machine, function, start)?;
        Ok((function, end))
    }

    #[inline(always)]
    fn function<const SPACED: bool>(
        &self,
        machine: &Machine<'_, SPACED>,
        at: usize,
    ) -> Result<(usize, usize), Stop> {
        let start = machine.space(at);
        let guess = self.guess.load(Ordering::Relaxed);
        if let Some(literal) = self.literals.get(guess)
            && machine.is_at(literal, start)
        {
            return Ok((guess, start + literal.len()));
        }
        let (name, end) = machine.name(start)?;
        let function = self.names.find(&name).ok_or(Stop::Mismatch)?;
        self.guess.store(function, Ordering::Relaxed);
        Ok((function, end))
    }

    #[inline(always)]
    fn arguments<const SPACED: bool>(
        &self,
        machine: &mut Machine<'_, SPACED>,
        function: usize,
        at: usize,
    ) -> EndOffset {
        let node = self.arguments.get(function).copied().flatten();
        let at = machine.space(at);
        match machine.byte(at) {
            b'{' => machine.value(node.ok_or(Stop::Unsure)?, at, DEPTH),
            _ => Err(Stop::Mismatch),
        }
    }

    /// After a member: a comma and this key.
    #[inline(always)]
    fn next_is<const SPACED: bool>(
        key: &Literal,
        machine: &Machine<'_, SPACED>,
        at: usize,
    ) -> EndOffset {
        let comma = machine.space(at);
        let at = machine.space(comma + 1);
        match machine.byte(comma) == b',' && machine.is_at(key, at) {
            true => Ok(at + key.len()),
            // It may be spelled differently.
            false => Err(Stop::Unsure),
        }
    }
}
