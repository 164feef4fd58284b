import {t} from '../language/index.ts';
import {
	loadConfig,
	lookUpModel,
	attributeRequest,
	context as requestOf,
	createLedger,
	createScope,
	createStaleCheck,
	mediaReader,
	readStoredSession,
	unfinishedIn,
	type Env,
	type StoredSession,
	type StoredSessionOptions,
	homeOf,
} from '../pod/index.ts';
import type {Ledger, LedgerRow} from '../pod/protocol.ts';
import {rangeSuffix, waitingText} from '../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, pad, width} from '../text/width.ts';
import {lastSetup, requestBody} from '../worker/index.ts';
import {columnWidths} from './output/output.ts';
import {inertJson} from './output/output.ts';
import type {Output} from './sessions.ts';
import {
	counted,
	fileStates,
	noRequestYet,
	number,
	openEndWords,
	partOf,
	summaryOf,
	unfinishedCompactions,
	windowShare,
} from './texts.ts';

type ContextOptions = StoredSessionOptions & {
	readonly json: boolean;
	/** Whether to print the request's body instead of the ledger. */
	readonly request: boolean;
	/**
	Whether stdout is a terminal. On a terminal, control characters are escaped. The JSON value is the same, but its
	bytes differ.
	*/
	readonly terminal: boolean;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod context <id>`: prints the contents of a session's next request, or its exact body. The command only
reads, without a lock. The exit code is 0, 1 for a failure, or 2 for bad usage or configuration.
*/
export async function context({json, request, terminal, stdout, stderr, ...wanted}: ContextOptions): Promise<number> {
	const refuse = (sentence: string, code = 1) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const stored = await readStoredSession(wanted);
	if (!stored.ok) return refuse(stored.sentence, stored.code);
	const {session, pwd} = stored;
	if (request && json) return printAttribution(session, {stdout, refuse});
	if (request) {
		const made = await bodyOf(session);
		if (!made.ok) return refuse(made.sentence);
		stdout.write(terminal ? `${inertJson(JSON.parse(made.body))}\n` : made.body);
		return 0;
	}
	const ledger = await ledgerOf(session, pwd, wanted.env);
	const {isUnfinished, waiting} = session.open;
	const messages = waiting.map(message => ({id: message.id, text: waitingText(message)}));
	const facts = isUnfinished ? {isUnfinished, waiting: messages} : {};
	stdout.write(json ? `${inertJson({session: session.id, ...ledger, ...facts}, 2)}\n` : report(session, ledger));
	return 0;
}

type Printing = {readonly stdout: Output; readonly refuse: (sentence: string) => number};

/** Prints the next request and the source of each piece. Together, the texts of the pieces form the body. */
async function printAttribution({id, items, dir}: StoredSession, {stdout, refuse}: Printing): Promise<number> {
	const made = await attributeRequest(items, {readMedia: mediaReader(() => dir)});
	if (!made.ok) return refuse(made.sentence ?? noRequestYet);
	const {pieces, headers} = made.attribution;
	stdout.write(`${inertJson({session: id, model: lastSetup(items)?.model, headers, pieces}, 2)}\n`);
	return 0;
}

async function bodyOf({items, dir}: StoredSession): Promise<Awaited<ReturnType<typeof requestBody>>> {
	const setup = lastSetup(items);
	if (setup === undefined) return {ok: false, sentence: noRequestYet};
	return requestBody(setup.model, {...requestOf(items), readMedia: mediaReader(() => dir)});
}

/**
Returns the ledger of a session. Files are compared with those of the project in `pwd`. The context window comes from
the configuration or the catalogue.
*/
async function ledgerOf({items, dir}: StoredSession, pwd: string, env: Env): Promise<Ledger> {
	const created = await createScope({pwd, home: homeOf(env)});
	const stale = created.ok ? createStaleCheck({items: () => items, scope: created.scope}) : async () => [];
	const window = await windowOf(lastSetup(items)?.model, env);
	const unfinished = await unfinishedIn(dir, items);
	return createLedger({items: () => items, stale, window: () => window, unfinished: () => unfinished})();
}

async function windowOf(model: string | undefined, env: Env): Promise<number | undefined> {
	if (model === undefined) return undefined;
	const read = await loadConfig(env);
	const own = read.ok && read.config.model === model ? read.config.window : undefined;
	return own ?? lookUpModel(model)?.window;
}

function report({id, open}: StoredSession, {model, rows, totals, bytes, tokens, window, unfinished}: Ledger): string {
	const lines = table([
		['', 'kind', t`≈ tokens`, t`bytes`, ''],
		...rows.map((row, index) => [String(index + 1), row.kind, number(row.tokens), number(row.bytes), factsOf(row)]),
		['', '', '', '', ''],
		...totals.map(total => [`${total.rows}×`, total.kind, number(total.tokens), number(total.bytes), '']),
	]);
	const total = [
		t`≈ ${number(tokens)} tokens`,
		windowShare(tokens, window),
		t`${number(bytes)} bytes in ${counted(rows.length, 'row')}`,
	];
	const head = [
		`session  ${id}${model === '' ? '' : `, ${sanitizeLine(model)}`}`,
		`context  ${total.join(', ')}`,
		...(unfinished === undefined ? [] : [`compact  ${unfinishedCompactions(unfinished)}`]),
		...(open.isUnfinished ? [`state    ${openEndWords(open)}`] : []),
		...open.waiting.map(message => `waiting  ${cut(sanitizeLine(waitingText(message)), maxLabel, '…')}`),
		'',
	];
	return [...head, ...lines].map(line => `${line}\n`).join('');
}

function factsOf({label, path, range, body, pinned, dropped, summarised, state}: LedgerRow): string {
	const facts = [
		path === undefined ? label : `${path}${rangeSuffix(range)}`,
		...(body !== undefined && body.bytes < body.totalBytes ? [partOf(body.bytes, body.totalBytes)] : []),
		...(summarised === undefined ? [] : [summaryOf(summarised)]),
		...(state === 'changed' || state === 'gone' ? [fileStates[state]] : []),
		...(pinned === true ? ['pinned'] : []),
		...(dropped === true ? ['dropped'] : []),
	];
	return facts
		.map((fact, index) => cut(sanitizeLine(fact), index === 0 ? maxLabel : Number.POSITIVE_INFINITY, '…'))
		.join(' · ');
}

function table(rows: ReadonlyArray<readonly string[]>): string[] {
	const widths = columnWidths(rows, 4);
	const isNumber = (column: number) => column !== 1;
	return rows.map(row =>
		[
			...widths.map((size, column) => {
				const cell = row[column] ?? '';
				return isNumber(column) ? ' '.repeat(size - width(cell)) + cell : pad(cell, size);
			}),
			row[4] ?? '',
		]
			.join('  ')
			.trimEnd(),
	);
}

const maxLabel = 72;
