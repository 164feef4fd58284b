import {dirname} from 'node:path';
import type {WorkflowInfo} from '../protocol.ts';
import type {Entry, Listing} from './document-index.ts';
import type {BrokenDocument, Found} from './document.ts';
import {missingKnowledge, shown} from './invocation.ts';
import type {Shelves} from './sources.ts';

/** A workflow that the model may invoke. `folder`: the folder of a skill, whose other files the model may read. */
export type OfferedWorkflow = {readonly slug: string; readonly description: string; readonly folder?: string};

/** All workflows by slug, then the files that cannot be invoked at all. */
export function workflowInfos(listing: Listing, shelves: Shelves): readonly WorkflowInfo[] {
	return [
		...listing.entries.map(entry => infoOf(entry, errorOf(entry, listing, shelves))),
		...listing.unusable.map(brokenInfo),
	];
}

/** The workflows that the model may invoke, by slug. */
export function offeredWorkflows(listing: Listing, shelves: Shelves): readonly OfferedWorkflow[] {
	const usable = listing.entries.filter(entry => errorOf(entry, listing, shelves) === undefined);
	return usable.flatMap(entry => (entry.ok && entry.meta.modelInvocation ? [offer(entry)] : []));
}

function errorOf(entry: Entry, {knowledge}: Listing, shelves: Shelves): string | undefined {
	if (!entry.ok) return entry.problem;
	const missing = entry.meta.requires.find(slug => !knowledge.has(slug));
	return missing === undefined ? undefined : missingKnowledge(missing, shelves);
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
