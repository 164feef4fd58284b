import {en} from '../../../language/index.ts';
import type {Clock, Draft} from '../../../worker/index.ts';
import type {Invoked} from '../submission/workflow.ts';
import type {TrustClaim, TrustVerdict} from '../../permissions/trust/trust.ts';
import type {DocumentIndex, ChosenDocument} from './document-index.ts';
import type {BrokenDocument, DocumentFile, ParsedDocument} from './document.ts';
import {documentFile, type DocumentSources} from './sources.ts';
import {workflowTexts} from './texts.ts';

export type InvocationOptions = {
	readonly index: DocumentIndex;
	readonly sources: DocumentSources;
	readonly clock: Pick<Clock, 'id'>;
	/** The function that is called with remarks about a document. */
	readonly onRemarks: (found: DocumentFile, remarks: readonly string[]) => void;
};

export type InvocationRequest = {
	readonly slug: string;
	readonly args: string;
	readonly by: 'user' | 'model';
	readonly signal: AbortSignal;
	/**
	The function that asks for trust if documents of the project replace the user's own. If it is absent, the caller
	must not commit the result.
	*/
	readonly trust?: (claim: TrustClaim) => Promise<TrustVerdict>;
	readonly callId?: string;
};

/**
A resolved invocation, or a sentence about the failure. `workflow` is the document of the workflow itself, without its
Knowledge.
*/
export type Invocation =
	| (Extract<Invoked, {ok: true}> & {readonly workflow: ParsedDocument; readonly id: string})
	| Extract<Invoked, {ok: false}>;

/**
Reads everything that an invocation needs, asks for trust, and creates the items from exactly the texts that the user
saw.
*/
export async function resolveInvocation(request: InvocationRequest, options: InvocationOptions): Promise<Invocation> {
	const {slug, args, by, signal, trust} = request;
	const chosen = await options.index.workflow(slug, signal);
	if (chosen === undefined) return refused(slug, en`there is no such workflow`);
	const {document: workflow} = chosen;
	if (!workflow.ok) return refused(slug, brokenProblem(workflow));
	const {meta, found} = workflow;
	if (by === 'user' && !meta.userInvocable)
		return refused(slug, workflowTexts.notInvocableByUser(displayPathOf(found)));
	if (by === 'model' && !meta.modelInvocation)
		return refused(slug, en`only the user can invoke ${displayPathOf(found)} (model_invocation is not true)`);
	const knowledge = await readKnowledge(workflow, options, signal);
	if ('problem' in knowledge) return refused(slug, knowledge.problem);
	const documents = [{document: workflow, shadows: chosen.shadows}, ...knowledge.choices];
	const body = insertArguments(workflow.body, args);
	if (body === undefined)
		return refused(
			slug,
			en`with its arguments inserted, ${displayPathOf(found)} would be longer than ${maxBody} characters`,
		);
	const verdict = trust === undefined ? 'trusted' : await checkTrust(documents, request, trust);
	if (verdict !== 'trusted') return {ok: false, code: 'untrusted', sentence: untrusted[verdict](slug, documents)};
	for (const {document} of documents) options.onRemarks(document.found, document.meta.remarks);
	const id = options.clock.id();
	const required = knowledge.choices.map(({document}) => knowledgeDraft(document, {slug, id}));
	return {ok: true, drafts: [...required, workflowDraft(body, {slug, args, id})], workflow, id};
}

function knowledgeDraft(
	{found, body}: ParsedDocument,
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
function insertArguments(body: string, args: string): string | undefined {
	const places = body.match(placeholder)?.length ?? 0;
	if (body.length + places * args.length > maxBody) return undefined;
	return body.replaceAll(placeholder, () => args).trimEnd();
}

const placeholder = /\$ARGUMENTS(?![A-Za-z0-9_])/g;

type Knowledge = {readonly choices: ReadonlyArray<ChosenDocument<ParsedDocument>>} | {readonly problem: string};

async function readKnowledge(
	{meta}: ParsedDocument,
	{index, sources}: InvocationOptions,
	signal: AbortSignal,
): Promise<Knowledge> {
	const choices: Array<ChosenDocument<ParsedDocument>> = [];
	for (const slug of meta.requires) {
		const choice = await index.knowledge(slug, signal);
		if (choice === undefined) return {problem: missingKnowledge(slug, sources)};
		const {document, shadows} = choice;
		if (!document.ok)
			return {
				problem: en`it requires Knowledge #${slug}, but ${displayPathOf(document.found)} cannot be used:
					${document.problem}`,
			};
		choices.push({document, shadows});
	}
	return {choices};
}

/** Returns the end of a sentence about a workflow with missing Knowledge. */
export function missingKnowledge(slug: string, {knowledge}: DocumentSources): string {
	const files = knowledge.map(source => source.displayPath(documentFile(source, slug)));
	return en`it requires Knowledge #${slug}, and there is no file ${files.join(' or ')}`;
}

async function checkTrust(
	documents: ReadonlyArray<ChosenDocument<ParsedDocument>>,
	{slug, callId}: InvocationRequest,
	trust: NonNullable<InvocationRequest['trust']>,
): Promise<TrustVerdict> {
	const replaced = documents.filter(({shadows}) => shadows.length > 0);
	if (replaced.length === 0) return 'trusted';
	const contents = documents
		.filter(({document}) => document.found.source.owner === 'project')
		.map(({document}) => ({name: displayPathOf(document.found), text: document.text}));
	return trust({
		subject: {kind: 'workflow', name: slug},
		title: workflowTexts.trustTitle(slug, namesOf(replaced.filter(isYours)), namesOf(replaced.filter(isBuiltIn))),
		contents,
		callId,
	});
}

function namesOf(documents: ReadonlyArray<ChosenDocument<ParsedDocument>>): readonly string[] {
	return documents.map(({document}) => documentName(document.found));
}

/** Tells whether a document replaces a document of the user. */
function isYours({shadows}: ChosenDocument<ParsedDocument>): boolean {
	return shadows.some(({source}) => source.owner === 'user');
}

/** Tells whether a document replaces only a document that inkpod ships. */
function isBuiltIn(choice: ChosenDocument<ParsedDocument>): boolean {
	return !isYours(choice);
}

const untrusted: {
	readonly [Verdict in Exclude<TrustVerdict, 'trusted'>]: (
		slug: string,
		documents: ReadonlyArray<ChosenDocument<ParsedDocument>>,
	) => string;
} = {
	denied: (slug, documents) =>
		en`The workflow /${slug} was not invoked: you did not trust ${replacedFiles(documents)}.`,
	unattended: (slug, documents) =>
		en`The workflow /${slug} was not invoked: nobody can be asked whether to trust ${replacedFiles(documents)}. To
			trust the current files for this run, use --trust.`,
	aborted: slug => en`The workflow /${slug} was not invoked: you did not answer the question whether to trust it.`,
};

/** Returns the names of the replaced files, each with the file that replaces it. */
function replacedFiles(documents: ReadonlyArray<ChosenDocument<ParsedDocument>>): string {
	return documents
		.flatMap(({document, shadows}) =>
			shadows.map(own => {
				const place = own.source.owner === 'user' ? en`your ${displayPathOf(own)}` : displayPathOf(own);
				return en`${displayPathOf(document.found)}, which replaces ${place}`;
			}),
		)
		.join(', and ');
}

function refused(slug: string, why: string): Invocation {
	return {ok: false, sentence: en`The workflow /${slug} cannot be invoked: ${why}.`};
}

function brokenProblem({found, problem}: BrokenDocument): string {
	return `${displayPathOf(found)}: ${problem}`;
}

/** Returns the file's path for sentences and lists. */
export function displayPathOf({source, file}: DocumentFile): string {
	return source.displayPath(file);
}

/** Returns the name of a document: `/review` for a workflow, `#style` for Knowledge. */
export function documentName({source, slug}: DocumentFile): string {
	return `${source.kind === 'knowledge' ? '#' : '/'}${slug}`;
}
