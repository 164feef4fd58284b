import {flush} from '../output/flush.ts';
import {exitCodes, watchSignals} from '../output/signals.ts';
import {print} from '../print.ts';
import type {PrintLaunch} from '../start/launch.ts';
import type {Io} from '../start/subcommand.ts';
import {readStdin} from './read-stdin.ts';

/** Implements `inkpod -p`: reads stdin, prints the answer, and waits until it is written. Returns the exit code. */
export async function runPrint(launch: PrintLaunch, {env, stdin, stdout, stderr, say, exit}: Io): Promise<number> {
	const isPiped = !stdin.isTTY;
	// A prompt is a complete message, so inkpod waits for piped text only for a limited time.
	const patience = launch.prompt.trim() === '' ? undefined : AbortSignal.timeout(maxSilenceMs);
	const piped = isPiped && launch.isStream !== true ? await readStdin(stdin, patience) : undefined;
	if (piped?.ok === false) {
		await say(piped.sentence);
		return 2;
	}
	if (piped?.warning !== undefined) await say(piped.warning);
	let lastWords: (() => void) | undefined;
	watchSignals(exit, () => lastWords?.());
	const code = await print(launch, {
		env,
		stdout,
		stderr,
		piped: piped?.text,
		input: isPiped && launch.isStream === true ? stdin : undefined,
		signal: exit.signal,
		setLastWords: write => (lastWords = write),
	});
	await flush(stdout);
	// An error of a write is reported only after the write, so inkpod waits for the result of the last write.
	await new Promise(resolve => setImmediate(resolve));
	return exit.signal.reason === 'SIGPIPE' ? exitCodes.SIGPIPE : code;
}

/** The milliseconds that print mode waits for the first data on stdin. */
const maxSilenceMs = 3000;
