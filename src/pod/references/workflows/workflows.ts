import type {Clock} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import {type Item, type WorkflowInfo, narrowOrigin} from '../../protocol.ts';
import type {RefusesReading} from '../../scope/read.ts';
import type {Owners} from '../../scope/scope.ts';
import type {Slugs, WorkflowSource} from '../submission/workflow.ts';
import type {Trust, TrustClaim} from '../../permissions/trust/trust.ts';
import {createDocumentIndex, type DocumentList} from './document-index.ts';
import {
	resolveInvocation,
	type Invocation,
	type InvocationOptions,
	type InvocationRequest,
	documentName,
	displayPathOf,
} from './invocation.ts';
import {documentSources} from './sources.ts';
import {offeredWorkflows, workflowInfos, type OfferedWorkflow} from './workflow-info.ts';
import {dirname} from 'node:path';
import {endSentence} from '../../../language/index.ts';
import type {DocumentFile} from './document.ts';
import {workflowTexts} from './texts.ts';

type WorkflowsOptions = {
	/** The real path of the scope's `pwd`. */
	readonly pwd: string;
	readonly env: Env;
	/** The owners whose project documents are used. */
	readonly owners?: Owners | undefined;
	/**
	Returns the reason why a rule for `read_file` forbids reading a project's document. If it is absent, no rule
	applies.
	*/
	readonly refusesReading?: RefusesReading;
	readonly clock: Pick<Clock, 'id'>;
	readonly trust: Pick<Trust, 'check'>;
	/** Whether the workflows that inkpod ships are left out. */
	readonly omitsShipped?: boolean;
	/** The function that is called once for each warning about the documents. */
	readonly onWarning: (sentence: string) => void;
};

/** The workflows and the Knowledge of a session. Every call reads the current state of the disk. */
export type Workflows = {
	/** The source for a submission. It asks for trust if that is needed. */
	readonly source: WorkflowSource;
	/** The source for a preview. It reads the same documents, but never asks. Its results must not be committed. */
	readonly preview: WorkflowSource;
	/**
	Returns all workflows by slug, with the errors of broken ones. Files that cannot be invoked at all come last.
	*/
	list(): Promise<readonly WorkflowInfo[]>;
	/** Returns the workflows that the model may invoke, by slug. */
	offered(): Promise<readonly OfferedWorkflow[]>;
	/** Resolves an invocation by the model. Commits nothing. */
	invoke(
		slug: string,
		args: string,
		call: {readonly callId: string; readonly signal: AbortSignal},
	): Promise<Invocation>;
	/**
	Returns the folders of the user's skills in these items, each once. Tools may read these folders from now on. Skills
	of the project are already in the scope.
	*/
	folders(items: readonly Item[]): readonly string[];
};

export function createWorkflows(options: WorkflowsOptions): Workflows {
	const {pwd, env, owners, refusesReading, clock, trust, omitsShipped, onWarning} = options;
	const sources = documentSources(pwd, {env, owners, refuses: refusesReading, omitsShipped});
	const index = createDocumentIndex(sources);
	const warnings = createWarnings(onWarning);
	const skillFolders = createSkillFolders();

	const resolve = async (request: InvocationRequest, onRemarks: InvocationOptions['onRemarks']) =>
		resolveInvocation(request, {index, sources, clock, onRemarks});

	async function invoke(request: Omit<InvocationRequest, 'trust'>): Promise<Invocation> {
		const trusted = {...request, trust: async (claim: TrustClaim) => trust.check(claim, request.signal)};
		const invocation = await resolve(trusted, warnings.addRemarks);
		skillFolders.remember(invocation);
		return invocation;
	}

	async function scan(): Promise<DocumentList> {
		const listing = await index.list();
		warnings.addListing(listing);
		return listing;
	}

	const slugs = async (): Promise<Slugs> =>
		new Map(
			(await scan()).entries.map(({found}) => [
				found.slug,
				found.source.owner === 'shipped' ? 'start' : 'anywhere',
			]),
		);
	return {
		source: {slugs, invoke: async (slug, args, signal) => invoke({slug, args, by: 'user', signal})},
		preview: {
			slugs,
			invoke: async (slug, args, signal) => resolve({slug, args, by: 'user', signal}, reportsNothing),
		},
		list: async () => workflowInfos(await scan(), sources),
		offered: async () => offeredWorkflows(await scan(), sources),
		invoke: async (slug, args, {callId, signal}) => invoke({slug, args, by: 'model', signal, callId}),
		folders: items => skillFolders.take(items),
	};
}

/**
Reports nothing. A preview uses this function, because its alerts would disappear when the user sends the message.
*/
function reportsNothing(): void {}

/** Stores the folders of the user's skills until the items of their invocations are committed. */
type SkillFolders = {
	remember(invocation: Invocation): void;
	/** Returns the folders of the invocations in these items, each once. Later calls do not return them again. */
	take(items: readonly Item[]): readonly string[];
};

function createSkillFolders(): SkillFolders {
	const byInvocation = new Map<string, string>();
	return {
		remember(invocation) {
			if (!invocation.ok) return;
			const {source, file} = invocation.workflow.found;
			if (source.kind === 'skill' && source.owner === 'user') byInvocation.set(invocation.id, dirname(file));
		},
		take(items) {
			const invocations = items.flatMap(invocationIn);
			const folders = invocations.map(id => byInvocation.get(id)).filter(folder => folder !== undefined);
			for (const id of invocations) byInvocation.delete(id);
			return [...new Set(folders)];
		},
	};
}

function invocationIn(item: Item): readonly string[] {
	const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
	return origin?.kind === 'workflow' ? [origin.invocation] : [];
}

/** Reports each warning about documents only once. */
type Warnings = {
	readonly addRemarks: (found: DocumentFile, remarks: readonly string[]) => void;
	readonly addListing: (listing: DocumentList) => void;
};

function createWarnings(onWarning: (sentence: string) => void): Warnings {
	const warned = new Set<string>();
	const warn = (sentence: string) => {
		if (warned.has(sentence)) return;
		warned.add(sentence);
		onWarning(sentence);
	};
	const addRemarks = (found: DocumentFile, remarks: readonly string[]) => {
		for (const remark of remarks) warn(endSentence(`${displayPathOf(found)}: ${remark}`));
	};
	return {
		addRemarks,
		addListing(listing) {
			for (const sentence of listing.remarks) warn(sentence);
			for (const entry of listing.entries) {
				// Files for other agents are reported when they are invoked. A project may have dozens of them.
				if (entry.ok && !isImported(entry.found)) addRemarks(entry.found, entry.meta.remarks);
				for (const sentence of shadowWarnings(entry.found, entry.shadows)) warn(sentence);
			}
			for (const {document, shadows} of listing.knowledge.values())
				for (const sentence of shadowWarnings(document, shadows)) warn(sentence);
			for (const {found, problem} of listing.unusable)
				if (found.source.kind === 'skill') warn(workflowTexts.skillIgnored(displayPathOf(found), problem));
		},
	};
}

function shadowWarnings(found: DocumentFile, shadows: readonly DocumentFile[]): readonly string[] {
	const yours = shadows.filter(({source}) => source.owner === 'user');
	return yours.map(own => workflowTexts.replacesYours(documentName(found), displayPathOf(found), displayPathOf(own)));
}

function isImported({source}: DocumentFile): boolean {
	return source.kind === 'command' || source.isImported === true;
}
