import {
	readStoredSession,
	verifyRequests,
	verifySession,
	type Finding,
	type RequestsVerdict,
	type StoredSession,
	type StoredSessionOptions,
	type Verdict,
} from '../pod/index.ts';
import {sanitizeLine} from '../tui/text/sanitize.ts';
import type {Output} from './sessions.ts';
import {
	checkResult,
	createdIn,
	damaged,
	differentRequest,
	finding,
	requestCounts,
	sameRequests,
	sound,
	soundToEnd,
} from './texts.ts';

export type VerifyOptions = StoredSessionOptions & {
	/** Also rebuilds the requests and compares them with what was sent. */
	readonly requests?: boolean;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod verify <id>`: checks a session's history, and also its requests with `--requests`. It only reads.
Exit code 0, 1 for a failure, 2 for bad usage or configuration.
*/
export async function verify({requests = false, stdout, stderr, ...wanted}: VerifyOptions): Promise<number> {
	const stored = await readStoredSession(wanted);
	if (!stored.ok) {
		stderr.write(`inkpod: ${sanitizeLine(stored.sentence)}\n`);
		return stored.code;
	}
	const {session} = stored;
	const verdict = verifySession(session);
	const made = requests ? await verifyRequests(session.items) : undefined;
	const lines = [...report(session, verdict), ...(made === undefined ? [] : requestLines(made))];
	stdout.write(lines.map(line => `${sanitizeLine(line)}\n`).join(''));
	return verdict.ok && (made === undefined || made.different === 0) ? 0 : 1;
}

function report({id, cwd, created, decoded}: StoredSession, {ok, findings, counts, sum}: Verdict): string[] {
	const total = Object.values(counts).reduce((all, count) => all + count, 0);
	return [
		`session  ${createdIn(id, created, cwd, decoded.header.fork?.session)}`,
		`items    ${total}${
			total === 0
				? ''
				: `: ${Object.entries(counts)
						.map(([type, count]) => `${type} ${count}`)
						.join(', ')}`
		}`,
		...subjects.map(
			subject => `${subject.padEnd(8)} ${state(findings.filter(finding => finding.about === subject))}`,
		),
		`sum      ${sum}, line ${decoded.lines.at(-1)?.line ?? 1}`,
		...findings.map(({level, line, sentence}) => finding(level, line, sentence)),
		ok ? (decoded.closed ? sound : soundToEnd) : damaged,
	];
}

function requestLines({first, why, ...counts}: RequestsVerdict): string[] {
	return [
		`requests ${requestCounts(counts)}`,
		...(why === undefined ? [] : [finding('note', undefined, why)]),
		first === undefined ? sameRequests : differentRequest(first),
	];
}

function state(findings: readonly Finding[]): string {
	const failures = findings.filter(({level}) => level === 'failure').length;
	return checkResult(failures, findings.length - failures);
}

const subjects = ['chain', 'shape', 'pairing', 'tail'] as const;
