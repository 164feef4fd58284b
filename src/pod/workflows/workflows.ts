import {dirname} from 'node:path';
import type {Clock} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import {narrowOrigin, type Item, type WorkflowInfo} from '../protocol.ts';
import type {RefusesReading} from '../scope/read.ts';
import type {Owners} from '../scope/scope.ts';
import type {WorkflowSource} from '../submission/workflow.ts';
import type {Trust} from '../trust/trust.ts';
import {createCatalogue, type Entry, type Listing} from './catalogue.ts';
import type {BrokenDocument, Found} from './document.ts';
import {missingKnowledge, nameOf, resolveInvocation, shown, type Invocation} from './invocation.ts';
import {shelvesOf} from './shelf.ts';

export type WorkflowsOptions = {
	/** The scope's, a real path. */
	readonly pwd: string;
	readonly env: Env;
	/** Whose documents of the project are used. */
	readonly owners?: Owners | undefined;
	/** Why a document of the project is not read, by the rules for `read_file`. Absent: no rule is about one. */
	readonly refusesReading?: RefusesReading;
	readonly clock: Pick<Clock, 'id'>;
	readonly trust: Trust;
	/** Hears each thing that the person is to be told of the documents once. */
	readonly onWarning: (sentence: string) => void;
};

/** A workflow that the model may invoke. `folder`: of a skill, whose other files it may read. */
export type OfferedWorkflow = {readonly slug: string; readonly description: string; readonly folder?: string};

/** The workflows and the Knowledge of a session. Every question looks at the disk as it is then. */
export type Workflows = {
	/** Of a submission: asks for trust where that is needed. */
	readonly source: WorkflowSource;
	/** Of a look ahead: reads the same and asks nothing. What it answers must not be committed. */
	readonly preview: WorkflowSource;
	/** All of them, by slug, broken ones with their error; those that cannot be invoked at all last. */
	list(): Promise<readonly WorkflowInfo[]>;
	/** Those that the model may invoke, by slug. */
	offered(): Promise<readonly OfferedWorkflow[]>;
	/** Resolves a call of the model's. Commits nothing. */
	invoke(
		slug: string,
		args: string,
		call: {readonly callId: string; readonly signal: AbortSignal},
	): Promise<Invocation>;
	/**
	The folders of the person's skills among these items, each once: they may be read from now on. Skills of the project
	lie in the scope.
	*/
	folders(items: readonly Item[]): readonly string[];
};

export function createWorkflows(given: WorkflowsOptions): Workflows {
	const {pwd, env, owners, refusesReading, clock, trust, onWarning} = given;
	const shelves = shelvesOf(pwd, {env, owners, refuses: refusesReading});
	const catalogue = createCatalogue(shelves);
	const told = new Set<string>();
	/** Skills whose folders nobody has asked for yet: the folder by invocation. */
	const waiting = new Map<string, string>();

	const warn = (sentence: string) => {
		if (told.has(sentence)) return;
		told.add(sentence);
		onWarning(sentence);
	};
	const onRemarks = (found: Found, remarks: readonly string[]) => {
		for (const remark of remarks) warn(`${shown(found)}: ${remark}.`);
	};
	const options = {catalogue, shelves, clock, onRemarks};

	async function look(): Promise<Listing> {
		const listing = await catalogue.list();
		for (const sentence of listing.remarks) warn(sentence);
		for (const entry of listing.entries) {
			if (entry.ok) onRemarks(entry.found, entry.meta.remarks);
			warnOfShadows(entry.found, entry.shadows);
		}
		for (const {document, shadows} of listing.knowledge.values()) warnOfShadows(document, shadows);
		for (const {found, problem} of listing.unusable)
			if (found.shelf.holds === 'skill') warn(`The skill ${shown(found)} is left out: ${problem}.`);
		return listing;
	}

	function warnOfShadows(found: Found, shadows: readonly Found[]): void {
		for (const own of shadows)
			warn(
				`${nameOf(found)} is the project's here: ${shown(found)} takes the place of your ${shown(own)}, and is used when you trust it.`,
			);
	}

	function remember(invocation: Invocation): Invocation {
		if (!invocation.ok) return invocation;
		const {holds, owner} = invocation.workflow.found.shelf;
		if (holds === 'skill' && owner === 'user') waiting.set(invocation.id, dirname(invocation.workflow.found.file));
		return invocation;
	}

	const slugs = async () => new Set((await look()).entries.map(({found}) => found.slug));
	const errorOf = (entry: Entry, {knowledge}: Listing): string | undefined => {
		if (!entry.ok) return entry.problem;
		const missing = entry.meta.requires.find(slug => !knowledge.has(slug));
		return missing === undefined ? undefined : missingKnowledge(missing, shelves);
	};

	return {
		source: {
			slugs,
			invoke: async (slug, args, signal) =>
				remember(
					await resolveInvocation(
						{slug, args, by: 'person', signal, trust: async claim => trust.check(claim, signal)},
						options,
					),
				),
		},
		preview: {
			slugs,
			invoke: async (slug, args, signal) => resolveInvocation({slug, args, by: 'person', signal}, options),
		},
		async list() {
			const listing = await look();
			return [
				...listing.entries.map(entry => infoOf(entry, errorOf(entry, listing))),
				...listing.unusable.map(brokenInfo),
			];
		},
		async offered() {
			const listing = await look();
			const usable = listing.entries.filter(entry => errorOf(entry, listing) === undefined);
			return usable.flatMap(entry => (entry.ok && entry.meta.modelInvocation ? [offer(entry)] : []));
		},
		invoke: async (slug, args, {callId, signal}) =>
			remember(
				await resolveInvocation(
					{slug, args, by: 'model', signal, callId, trust: async claim => trust.check(claim, signal)},
					options,
				),
			),
		folders(items) {
			const invocations = items
				.map(item => (item.type === 'message' ? narrowOrigin(item.origin) : undefined))
				.flatMap(origin => (origin?.kind === 'workflow' ? [origin.invocation] : []));
			const folders = invocations.map(id => waiting.get(id)).filter(folder => folder !== undefined);
			for (const id of invocations) waiting.delete(id);
			return [...new Set(folders)];
		},
	};
}

function offer({found, meta}: Extract<Entry, {ok: true}>): OfferedWorkflow {
	const {holds, owner} = found.shelf;
	const folder = dirname(found.file);
	return {
		slug: found.slug,
		description: meta.description,
		...(holds === 'skill' && {folder: owner === 'user' ? folder : found.shelf.shown(folder)}),
	};
}

function infoOf(entry: Entry, error: string | undefined): WorkflowInfo {
	const {found, shadows} = entry;
	const meta = entry.ok ? entry.meta : unknownMeta;
	return {
		slug: found.slug,
		description: meta.description,
		source: sourceOf(found),
		file: shown(found),
		userInvocable: meta.userInvocable,
		modelInvocation: meta.modelInvocation,
		requires: meta.requires,
		...(error !== undefined && {error}),
		...(meta.remarks.length > 0 && {remarks: meta.remarks}),
		...(shadows.length > 0 && {shadows: shadows.map(shown)}),
	};
}

const unknownMeta = {description: '', requires: [], userInvocable: true, modelInvocation: false, remarks: []};

function brokenInfo({found, problem}: BrokenDocument): WorkflowInfo {
	return {
		slug: found.slug,
		description: '',
		source: sourceOf(found),
		file: shown(found),
		userInvocable: false,
		modelInvocation: false,
		requires: [],
		error: problem,
	};
}

function sourceOf({shelf}: Found): WorkflowInfo['source'] {
	return shelf.holds === 'skill' ? 'skill' : shelf.owner;
}
