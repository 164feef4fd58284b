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

export type VerifyOptions = StoredSessionOptions & {
	/** Makes its requests again, too, and compares them with what was sent. */
	readonly requests?: boolean;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
`inkpod verify <id>`: checks a session's history, with `--requests` its requests too, and says what it found. Changes
nothing. Exit code 0, 1 for a failure, 2 for bad usage or configuration.
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
		`session  ${id}, made ${created} in ${cwd}${decoded.header.fork === undefined ? '' : `, a fork of ${decoded.header.fork.session}`}`,
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
		...findings.map(
			finding =>
				`${finding.level === 'note' ? 'note' : 'FAILURE'}${finding.line === undefined ? '' : ` at line ${finding.line}`}: ${finding.sentence}`,
		),
		ok ? 'This session is sound.' : 'This session is damaged.',
	];
}

function requestLines({same, different, unsent, unmade, why, first}: RequestsVerdict): string[] {
	return [
		`requests ${same + different + unsent + unmade}: ${same} as they were sent, ${different} different, ${unmade} that cannot be made again, ${unsent} that were never sent`,
		...(why === undefined ? [] : [`note: ${why}`]),
		...(first === undefined
			? ['No request is other than what was sent.']
			: [
					`FAILURE at request ${first.n} (${first.id}, ${first.at}): history makes ${first.made}, and ${first.sent} was sent.`,
				]),
	];
}

function state(findings: readonly Finding[]): string {
	const failures = findings.filter(finding => finding.level === 'failure').length;
	if (failures > 0) return `${failures} ${failures === 1 ? 'failure' : 'failures'}`;
	return findings.length === 0 ? 'whole' : `whole, ${findings.length} ${findings.length === 1 ? 'note' : 'notes'}`;
}

const subjects = ['chain', 'shape', 'pairing', 'tail'] as const;
