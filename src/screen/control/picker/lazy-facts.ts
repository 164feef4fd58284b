import type {EntryFacts, PickerEntry} from '../../model/picker/entry.ts';

type LazyFactsOptions = {
	/** Reads the facts of a session whose stored ones are old. Never rejects. */
	readonly readFacts: (entry: PickerEntry, signal: AbortSignal) => Promise<EntryFacts>;
	readonly onRead: (dir: string, facts: EntryFacts) => void;
};

type LazyFacts = {
	/** Reads the facts of these sessions, which the screen shows. Sessions that it no longer shows are left out. */
	readonly want: (entries: readonly PickerEntry[]) => void;
};

/**
Reads one session after another, once the list has rested for a moment. So a list of thousands of sessions costs no more
than one screen of them.
*/
export function createLazyFacts({readFacts, onRead}: LazyFactsOptions): LazyFacts {
	let wanted: readonly PickerEntry[] = [];
	let current: {readonly dir: string; readonly controller: AbortController} | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	async function next(): Promise<void> {
		timer = undefined;
		const [entry] = wanted;
		if (entry === undefined) return;
		const controller = new AbortController();
		current = {dir: entry.dir, controller};
		const facts = await readFacts(entry, controller.signal);
		current = undefined;
		if (!controller.signal.aborted) {
			wanted = wanted.filter(({dir}) => dir !== entry.dir);
			onRead(entry.dir, facts);
		}
		if (wanted.length > 0 && timer === undefined) timer = setTimeout(() => void next(), 0);
	}

	return {
		want(entries) {
			wanted = entries;
			if (current !== undefined && !entries.some(({dir}) => dir === current?.dir)) current.controller.abort();
			if (entries.length > 0 && current === undefined && timer === undefined)
				timer = setTimeout(() => void next(), restMs);
			if (entries.length === 0) clearTimeout(timer);
			if (entries.length === 0) timer = undefined;
		},
	};
}

/** The list is drawn before the first read. */
const restMs = 60;
