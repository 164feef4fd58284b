import type {Clock, Draft} from '../../worker/index.ts';
import type {Invoked} from '../submission/workflow.ts';
import type {TrustClaim, TrustVerdict} from '../trust/trust.ts';
import type {Catalogue, Choice} from './catalogue.ts';
import type {BrokenDocument, Found, WholeDocument} from './document.ts';
import {fileOn, type Shelves} from './shelf.ts';

export type InvocationOptions = {
	readonly catalogue: Catalogue;
	readonly shelves: Shelves;
	readonly clock: Pick<Clock, 'id'>;
	/** What a document gave reason to say. */
	readonly onRemarks: (found: Found, remarks: readonly string[]) => void;
};

export type InvocationRequest = {
	readonly slug: string;
	readonly args: string;
	readonly by: 'person' | 'model';
	readonly signal: AbortSignal;
	/**
	Asked where documents of the project take the place of the person's own. Absent: nothing is asked, and nothing may
	be committed.
	*/
	readonly trust?: (claim: TrustClaim) => Promise<TrustVerdict>;
	readonly callId?: string;
};

/** `workflow` is the document of the body; its Knowledge are the others. */
export type Invocation =
	| (Extract<Invoked, {ok: true}> & {readonly workflow: WholeDocument; readonly id: string})
	| Extract<Invoked, {ok: false}>;

/**
Finds and reads everything that an invocation needs, asks whether it is trusted, and makes its items of the very texts
that were asked about.
*/
export async function resolveInvocation(request: InvocationRequest, options: InvocationOptions): Promise<Invocation> {
	const {slug, args, by, signal, trust} = request;
	const chosen = await options.catalogue.workflow(slug, signal);
	if (chosen === undefined) return refused(slug, 'there is no such workflow');
	const {document: workflow} = chosen;
	if (!workflow.ok) return refused(slug, broken(workflow));
	const {meta, found} = workflow;
	if (by === 'person' && !meta.userInvocable)
		return refused(slug, `${shown(found)} says that it is not for you to invoke (user_invocable: false)`);
	if (by === 'model' && !meta.modelInvocation)
		return refused(slug, `${shown(found)} leaves it to the person to invoke (model_invocation is not true)`);
	const knowledge = await readKnowledge(workflow, options, signal);
	if ('problem' in knowledge) return refused(slug, knowledge.problem);
	const documents = [chosen as Choice<WholeDocument>, ...knowledge.choices];
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
	const required = knowledge.choices.map(({document}): Draft<'message'> => ({
		type: 'message',
		role: 'system',
		text: `[Workflow /${slug} requires Knowledge #${document.found.slug}]\n${document.body}`,
		origin: {kind: 'knowledge', slug: document.found.slug, workflow: slug, invocation: id},
	}));
	const own: Draft<'message'> = {
		type: 'message',
		role: 'system',
		text: `[Workflow /${slug}]\n${body}`,
		origin: {kind: 'workflow', slug, invocation: id, ...(args !== '' && {arguments: args})},
	};
	return {ok: true, drafts: [...required, own], workflow, id};
}

/** Characters of a body with its arguments in it. */
const maxBody = 1_048_576;

/** Every `$ARGUMENTS` is replaced in one pass, so that what the arguments hold is never looked at again. */
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

/** The end of a sentence about a workflow whose Knowledge is not there. */
export function missingKnowledge(slug: string, {knowledge}: Shelves): string {
	return `it requires Knowledge #${slug}, and there is neither ${knowledge.map(shelf => shelf.shown(fileOn(shelf, slug))).join(' nor ')}`;
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
		title: `Trust what this project brings for /${slug}? It takes the place of your own ${replaced.map(({document}) => nameOf(document.found)).join(', ')}.`,
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
		`The workflow /${slug} was not invoked: ${places(documents)}, and nobody can be asked whether to trust that. --trust accepts what is there now, for this run.`,
	aborted: slug => `The workflow /${slug} was not invoked: the question whether to trust it was not answered.`,
};

/** Which file takes the place of which. */
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

/** The file as it is written for people. */
export function shown({shelf, file}: Found): string {
	return shelf.shown(file);
}

/** `/review`, `#style`. */
export function nameOf({shelf, slug}: Found): string {
	return `${shelf.holds === 'knowledge' ? '#' : '/'}${slug}`;
}
