import type {Env} from '../pod/home.ts';
import {findSession} from '../pod/session/find.ts';
import {sessionsRoot} from '../pod/session/paths.ts';
import {readSession, type StoredSession} from '../pod/session/read.ts';
import {verifySession, type Finding, type Verdict} from '../pod/session/verify.ts';
import {sanitizeLine} from '../tui/screen/sanitize.ts';
import {projectOf, type Where} from './project-of.ts';
import type {Output} from './sessions.ts';

export type VerifyOptions = Where & {
	/** A session id or a unique prefix. */
	readonly id: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/** `inkpod verify <id>`: checks a session's history and says what it found. Changes nothing. Exit code 0, 1 for a failure, 2 for bad usage or configuration. */
export async function verify({id, env, stdout, stderr, ...where}: VerifyOptions): Promise<number> {
	const refuse = (sentence: string, code = 1) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const project = await projectOf(where, env);
	if (!project.ok) return refuse(project.sentence, 2);
	const found = await findSession({root: sessionsRoot(env), cwd: project.manifest.pwd}, id);
	if (!found.ok) return refuse(found.sentence);
	const read = await readSession(found.dir);
	if (!read.ok) return refuse(read.sentence);
	const verdict = verifySession(read.session);
	stdout.write(report(read.session, verdict).map(line => `${sanitizeLine(line)}\n`).join(''));
	return verdict.ok ? 0 : 1;
}

function report({id, cwd, created, decoded}: StoredSession, {ok, findings, counts, sum}: Verdict): string[] {
	const total = Object.values(counts).reduce((all, count) => all + count, 0);
	return [
		`session  ${id}, made ${created} in ${cwd}`,
		`items    ${total}${total === 0 ? '' : `: ${Object.entries(counts).map(([type, count]) => `${type} ${count}`).join(', ')}`}`,
		...subjects.map(subject => `${subject.padEnd(8)} ${state(findings.filter(finding => finding.about === subject))}`),
		`sum      ${sum}, line ${decoded.lines.at(-1)?.line ?? 1}`,
		...findings.map(finding => `${finding.level === 'note' ? 'note' : 'FAILURE'}${finding.line === undefined ? '' : ` at line ${finding.line}`}: ${finding.sentence}`),
		ok ? 'This session is sound.' : 'This session is damaged.',
	];
}

function state(findings: readonly Finding[]): string {
	const failures = findings.filter(finding => finding.level === 'failure').length;
	if (failures > 0) return `${failures} ${failures === 1 ? 'failure' : 'failures'}`;
	return findings.length === 0 ? 'whole' : `whole, ${findings.length} ${findings.length === 1 ? 'note' : 'notes'}`;
}

const subjects = ['chain', 'shape', 'pairing', 'tail'] as const;
