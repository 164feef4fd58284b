import type {Clock, Draft} from '../../worker/index.ts';
import type {Invoked} from '../submission/workflow.ts';
import type {TrustClaim, TrustVerdict} from '../trust/trust.ts';
import type {Catalogue, Choice} from './document-index.ts';
import type {BrokenDocument, Found, WholeDocument} from './document.ts';
import {fileOn, type Shelves} from './sources.ts';
import {workflowTexts} from './texts.ts';

export type InvocationOptions = {
	readonly catalogue: Catalogue;
	readonly shelves: Shelves;
	readonly clock: Pick<Clock, 'id'>;
	/** Called with remarks about a document. */
	readonly onRemarks: (found: Found, remarks: readonly string[]) => void;
};

export type InvocationRequest = {
	readonly slug: string;
	readonly args: string;
	readonly by: 'user' | 'model';
	readonly signal: AbortSignal;
	/**
	Called if documents of the project replace the user's own. Absent: nothing is asked, and nothing may be committed.
	*/
	readonly trust?: (claim: TrustClaim) => Promise<TrustVerdict>;
	readonly callId?: string;
};

/** `workflow` is the document with the body. Its Knowledge is in other documents. */
export type Invocation =
	| (Extract<Invoked, {ok: true}> & {readonly workflow: WholeDocument; readonly id: string})
	| Extract<Invoked, {ok: false}>;

/**
Reads everything that an invocation needs, asks for trust, and creates the items from the exact texts of the question.
*/
export async function resolveInvocation(request: InvocationRequest, options: InvocationOptions): Promise<Invocation> {
	const {slug, args, by, signal, trust} = request;
	const chosen = await options.catalogue.workflow(slug, signal);
	if (chosen === undefined) return refused(slug, 'there is no such workflow');
	const {document: workflow} = chosen;
	if (!workflow.ok) return refused(slug, broken(workflow));
	const {meta, found} = workflow;
	if (by === 'user' && !meta.userInvocable) return refused(slug, workflowTexts.notInvocableByUser(shown(found)));
	if (by === 'model' && !meta.modelInvocation)
		return refused(slug, `${shown(found)} leaves it to the person to invoke (model_invocation is not true)`);
	const knowledge = await readKnowledge(workflow, options, signal);
	if ('problem' in knowledge) return refused(slug, knowledge.problem);
	const documents = [{document: workflow, shadows: chosen.shadows}, ...knowledge.choices];
	const body = withArguments(workflow.body, args);
	if (body === undefined)
		return refused(
			slug,
			`with its arguments in their places ${shown(found)} would be longer than ${maxBody} characters`,
		);
	const verdict = trust === undefined ? 'trusted' : await verdictOn(documents, request, trust);
	if (verdict !== 'trusted') return {ok: false, code: 'untrusted', sentence: untrusted[verdict](slug, documents)};
	for (const {document} of documents) options.onRemarks(document.found, document.meta.remarks);
	const id = options.clock.id();
	const required = knowledge.choices.map(({document}) => knowledgeDraft(document, {slug, id}));
	return {ok: true, drafts: [...required, workflowDraft(body, {slug, args, id})], workflow, id};
}

function knowledgeDraft(
	{found, body}: WholeDocument,
	{slug, id}: {readonly slug: string; readonly id: string},
): Draft<'message'> {
	return {
		type: 'message',
		role: 'system',
		text: `[Workflow /${slug} requires Knowledge #${found.slug}]\n${body}`,
		origin: {kind: 'knowledge', slug: found.slug, workflow: slug, invocation: id},
	};
}

function workflowDraft(
	body: string,
	{slug, args, id}: {readonly slug: string; readonly args: string; readonly id: string},
): Draft<'message'> {
	return {
		type: 'message',
		role: 'system',
		text: `[Workflow /${slug}]\n${body}`,
		origin: {kind: 'workflow', slug, invocation: id, ...(args !== '' && {arguments: args})},
	};
}

/** The maximum length of a body with its arguments. */
const maxBody = 1_048_576;

/** Replaces every `$ARGUMENTS` in one pass, so that the arguments themselves are never searched. */
function withArguments(body: string, args: string): string | undefined {
	const places = body.match(placeholder)?.length ?? 0;
	if (body.length + places * args.length > maxBody) return undefined;
	return body.replaceAll(placeholder, () => args).trimEnd();
}

const placeholder = /\$ARGUMENTS(?![A-Za-z0-9_])/g;

type Knowledge = {readonly choices: ReadonlyArray<Choice<WholeDocument>>} | {readonly problem: string};

async function readKnowledge(
	{meta}: WholeDocument,
	{catalogue, shelves}: InvocationOptions,
	signal: AbortSignal,
): Promise<Knowledge> {
	const choices: Array<Choice<WholeDocument>> = [];
	for (const slug of meta.requires) {
		const choice = await catalogue.knowledge(slug, signal);
		if (choice === undefined) return {problem: missingKnowledge(slug, shelves)};
		const {document, shadows} = choice;
		if (!document.ok) return {problem: `it requires Knowledge #${slug}, and of ${broken(document)}`};
		choices.push({document, shadows});
	}
	return {choices};
}

/** The end of a sentence about a workflow with missing Knowledge. */
export function missingKnowledge(slug: string, {knowledge}: Shelves): string {
	const files = knowledge.map(shelf => shelf.shown(fileOn(shelf, slug)));
	return `it requires Knowledge #${slug}, and there is neither ${files.join(' nor ')}`;
}

async function verdictOn(
	documents: ReadonlyArray<Choice<WholeDocument>>,
	{slug, callId}: InvocationRequest,
	trust: NonNullable<InvocationRequest['trust']>,
): Promise<TrustVerdict> {
	const replaced = documents.filter(({shadows}) => shadows.length > 0);
	if (replaced.length === 0) return 'trusted';
	const contents = documents
		.filter(({document}) => document.found.shelf.owner === 'project')
		.map(({document}) => ({name: shown(document.found), text: document.text}));
	return trust({
		subject: {kind: 'workflow', name: slug},
		title: workflowTexts.trustTitle(
			slug,
			replaced.map(({document}) => nameOf(document.found)),
		),
		contents,
		...(callId !== undefined && {callId}),
	});
}

const untrusted: {
	readonly [Verdict in Exclude<TrustVerdict, 'trusted'>]: (
		slug: string,
		documents: ReadonlyArray<Choice<WholeDocument>>,
	) => string;
} = {
	denied: (slug, documents) => `The workflow /${slug} was not invoked: you did not trust ${places(documents)}.`,
	unattended: (slug, documents) =>
		`The workflow /${slug} was not invoked: ${places(documents)}, and nobody can be asked whether to trust that. ` +
		'--trust accepts what is there now, for this run.',
	aborted: slug => `The workflow /${slug} was not invoked: the question whether to trust it was not answered.`,
};

/** Which file replaces which. */
function places(documents: ReadonlyArray<Choice<WholeDocument>>): string {
	return documents
		.flatMap(({document, shadows}) =>
			shadows.map(own => `${shown(document.found)}, which takes the place of your ${shown(own)}`),
		)
		.join(', and ');
}

function refused(slug: string, why: string): Invocation {
	return {ok: false, sentence: `The workflow /${slug} cannot be invoked: ${why}.`};
}

function broken({found, problem}: BrokenDocument): string {
	return `${shown(found)}: ${problem}`;
}

/** The file's path for sentences and lists. */
export function shown({shelf, file}: Found): string {
	return shelf.shown(file);
}

/** `/review`, `#style`. */
export function nameOf({shelf, slug}: Found): string {
	return `${shelf.holds === 'knowledge' ? '#' : '/'}${slug}`;
}
