import {
	mediaReader,
	readStoredSession,
	realFiles,
	verifySideQuestions,
	verifyBlobs,
	verifyChecks,
	verifyChildren,
	verifyRequests,
	verifySession,
	verifySideRequests,
	verifySummaries,
	type SideQuestionsVerdict,
	type BlobsVerdict,
	type ChildrenVerdict,
	type Files,
	type Finding,
	type RequestsVerdict,
	type SideRequests,
	type SummariesVerdict,
	type StoredSession,
	type StoredSessionOptions,
	type Verdict,
} from '../pod/index.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Output} from './sessions.ts';
import {checkSignatures, signatureCheck, type SignatureCheck} from './signatures/verify-signatures.ts';
import {
	sideQuestionCounts,
	blobCounts,
	childCounts,
	checkResult,
	createdIn,
	damaged,
	differentRequest,
	finding,
	requestCounts,
	sameButRedacted,
	sameRequests,
	sideCounts,
	sound,
	soundToEnd,
} from './texts.ts';

type VerifyOptions = StoredSessionOptions & {
	/** If true, the command also rebuilds the requests and compares them with the requests that were sent. */
	readonly requests?: boolean;
	/** The path of the file that lists the accepted signers. */
	readonly signers?: string;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod verify <id>`: checks the histories of a session and of its compactions, and also their requests with
`--requests` and the signatures with `--signers`. It only reads. The exit code is 0, 1 for a failure, or 2 for bad usage
or configuration.
*/
export async function verify({requests = false, signers, stdout, stderr, ...wanted}: VerifyOptions): Promise<number> {
	const {env, cwd} = wanted;
	const signing = await signatureCheck(signers, {env, cwd});
	if ('sentence' in signing) {
		stderr.write(`inkpod: ${sanitizeLine(signing.sentence)}\n`);
		return 2;
	}
	const stored = await readStoredSession(wanted);
	if (!stored.ok) {
		stderr.write(`inkpod: ${sanitizeLine(stored.sentence)}\n`);
		return stored.code;
	}
	const {session} = stored;
	const {ok, lines} = await checkSession(session, {requests, signing});
	stdout.write(lines.map(line => `${sanitizeLine(line)}\n`).join(''));
	return ok ? 0 : 1;
}

/** The result of checking a session. `children` are the readable child sessions. */
type CheckedSession = {
	readonly ok: boolean;
	readonly lines: readonly string[];
	readonly children: readonly StoredSession[];
};

type CheckOptions = {
	readonly requests: boolean;
	readonly signing: SignatureCheck;
	readonly files?: Files;
};

/** Checks a session and all files that belong to it. The lines are not sanitized yet. */
export async function checkSession(
	session: StoredSession,
	{requests, signing, files = realFiles}: CheckOptions,
): Promise<CheckedSession> {
	const verdict = verifySession(session);
	const summaries = await verifySummaries(session, files);
	const blobs = await verifyBlobs(session, files);
	const children = await verifyChildren(session, files);
	const sideQuestions = await verifySideQuestions(session, files);
	const readMedia = mediaReader(() => session.dir, undefined, files);
	const made = requests ? await verifyRequests(session.items, {readMedia}) : undefined;
	const own = requests
		? await verifySideRequests([...summaries.sessions, ...children.sessions], sideQuestions.checked, readMedia)
		: undefined;
	const others = [...summaries.sessions, ...children.sessions, ...sideQuestions.checked.map(one => one.session)];
	const checks = [];
	for (const one of [session, ...others]) checks.push(...(await verifyChecks(one, files)));
	const beside = {summaries, blobs, children, sideQuestions, checks};
	const signatures = await checkSignatures(session, signing, files);
	const lines = [
		...report(session, verdict, beside),
		...(made === undefined ? [] : requestLines(made)),
		...(own === undefined ? [] : sideRequestLines(own)),
		...signatures.lines,
	];
	const differ = (made?.different ?? 0) > 0 || own?.some(({verdict: {different}}) => different > 0) === true;
	const ok = areIntact(verdict, beside) && signatures.ok && !differ;
	return {ok, lines, children: children.sessions};
}

function report({id, cwd, created, decoded}: StoredSession, verdict: Verdict, beside: Beside): string[] {
	const {findings, counts, sum} = verdict;
	const {summaries, blobs, children, sideQuestions, checks} = beside;
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
		...summaryLines(summaries),
		...(children.count === 0 ? [] : [`children ${childCounts(children.count)}: ${state(children.findings)}`]),
		...(sideQuestions.count === 0
			? []
			: [`asides   ${sideQuestionCounts(sideQuestions.count)}: ${state(sideQuestions.findings)}`]),
		...(blobs.count === 0 ? [] : [`images   ${blobCounts(blobs.count)}: ${state(blobs.findings)}`]),
		...findings.map(({level, line, sentence}) => finding(level, line, sentence)),
		...[...summaries.findings, ...children.findings, ...sideQuestions.findings, ...blobs.findings, ...checks].map(
			({level, line, path, sentence}) => finding(level, line, sentence, path),
		),
		areIntact(verdict, beside) ? (decoded.closed ? sound : soundToEnd) : damaged,
	];
}

function areIntact({ok}: Verdict, {summaries, blobs, children, sideQuestions, checks}: Beside): boolean {
	return ok && [summaries, blobs, children, sideQuestions].every(one => one.ok) && checks.length === 0;
}

/** The results of the checks of files beside the history. */
type Beside = {
	readonly summaries: SummariesVerdict;
	readonly blobs: BlobsVerdict;
	readonly children: ChildrenVerdict;
	readonly sideQuestions: SideQuestionsVerdict;
	/** The lines whose `check` field is wrong, in all histories. */
	readonly checks: Awaited<ReturnType<typeof verifyChecks>>;
};

function summaryLines({count, unfinished, findings}: SummariesVerdict): string[] {
	return count === 0 && findings.length === 0
		? []
		: [`compact  ${sideCounts(count, unfinished)}: ${state(findings)}`];
}

/** Counts the requests of all side sessions together, and names the file of each request that differs. */
function sideRequestLines(own: readonly SideRequests[]): string[] {
	if (own.length === 0) return [];
	const totals = {same: 0, different: 0, redacted: 0, unchecked: 0, unsent: 0, unmade: 0};
	for (const {verdict} of own) for (const key of countKeys) totals[key] += verdict[key];
	return [
		`beside   requests ${requestCounts(totals)}`,
		...own.flatMap(({path, verdict: {why, first}}) => [
			...(why === undefined ? [] : [finding('note', undefined, why, path)]),
			...(first === undefined ? [] : [differentRequest(first, path)]),
		]),
	];
}

const countKeys = ['same', 'different', 'redacted', 'unchecked', 'unsent', 'unmade'] as const;

function requestLines({first, why, ...counts}: RequestsVerdict): string[] {
	return [
		`requests ${requestCounts(counts)}`,
		...(why === undefined ? [] : [finding('note', undefined, why)]),
		first !== undefined ? differentRequest(first) : counts.redacted > 0 ? sameButRedacted : sameRequests,
	];
}

function state(findings: ReadonlyArray<Pick<Finding, 'level'>>): string {
	const failures = findings.filter(({level}) => level === 'failure').length;
	return checkResult(failures, findings.length - failures);
}

const subjects = ['chain', 'shape', 'pairing', 'tail'] as const;
