import {dirname} from 'node:path';
import type {WorkflowInfo} from '../../protocol.ts';
import type {Entry, DocumentList} from './document-index.ts';
import type {BrokenDocument, DocumentFile} from './document.ts';
import {missingKnowledge, displayPathOf} from './invocation.ts';
import type {DocumentSources} from './sources.ts';

/** A workflow that the model may invoke. `folder` is the folder of a skill, whose other files the model may read. */
export type OfferedWorkflow = {readonly slug: string; readonly description: string; readonly folder?: string};

/** Returns all workflows by slug, then the files that cannot be invoked at all. */
export function workflowInfos(listing: DocumentList, sources: DocumentSources): readonly WorkflowInfo[] {
	return [
		...listing.entries.map(entry => infoOf(entry, errorOf(entry, listing, sources))),
		...listing.unusable.map(brokenInfo),
	];
}

/** Returns the workflows that the model may invoke, by slug. */
export function offeredWorkflows(listing: DocumentList, sources: DocumentSources): readonly OfferedWorkflow[] {
	const usable = listing.entries.filter(entry => errorOf(entry, listing, sources) === undefined);
	return usable.flatMap(entry => (entry.ok && entry.meta.modelInvocation ? [offer(entry)] : []));
}

function errorOf(entry: Entry, {knowledge}: DocumentList, sources: DocumentSources): string | undefined {
	if (!entry.ok) return entry.problem;
	const missing = entry.meta.requires.find(slug => !knowledge.has(slug));
	return missing === undefined ? undefined : missingKnowledge(missing, sources);
}

function offer({found, meta}: Extract<Entry, {ok: true}>): OfferedWorkflow {
	const {kind, owner} = found.source;
	const folder = dirname(found.file);
	return {
		slug: found.slug,
		description: meta.description,
		...(kind === 'skill' && {folder: owner === 'user' ? folder : found.source.displayPath(folder)}),
	};
}

function infoOf(entry: Entry, error: string | undefined): WorkflowInfo {
	const {found, shadows} = entry;
	const meta = entry.ok ? entry.meta : unknownMeta;
	return {
		slug: found.slug,
		description: meta.description,
		source: sourceOf(found),
		file: displayPathOf(found),
		userInvocable: meta.userInvocable,
		modelInvocation: meta.modelInvocation,
		requires: meta.requires,
		error,
		...(meta.remarks.length > 0 && {remarks: meta.remarks}),
		...(shadows.length > 0 && {shadows: shadows.map(displayPathOf)}),
	};
}

const unknownMeta = {description: '', requires: [], userInvocable: true, modelInvocation: false, remarks: []};

function brokenInfo({found, problem}: BrokenDocument): WorkflowInfo {
	return {
		slug: found.slug,
		description: '',
		source: sourceOf(found),
		file: displayPathOf(found),
		userInvocable: false,
		modelInvocation: false,
		requires: [],
		error: problem,
	};
}

function sourceOf({source}: DocumentFile): WorkflowInfo['source'] {
	return source.kind === 'skill' ? 'skill' : source.owner;
}
