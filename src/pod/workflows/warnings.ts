import type {Listing} from './document-index.ts';
import type {Found} from './document.ts';
import {nameOf, shown} from './invocation.ts';
import {workflowTexts} from './texts.ts';

/** Passes on each warning about documents once. */
export type Warnings = {
	readonly addRemarks: (found: Found, remarks: readonly string[]) => void;
	readonly addListing: (listing: Listing) => void;
};

export function createWarnings(onWarning: (sentence: string) => void): Warnings {
	const warned = new Set<string>();
	const warn = (sentence: string) => {
		if (warned.has(sentence)) return;
		warned.add(sentence);
		onWarning(sentence);
	};
	const addRemarks = (found: Found, remarks: readonly string[]) => {
		for (const remark of remarks) warn(`${shown(found)}: ${remark}.`);
	};
	return {
		addRemarks,
		addListing(listing) {
			for (const sentence of listing.remarks) warn(sentence);
			for (const entry of listing.entries) {
				if (entry.ok) addRemarks(entry.found, entry.meta.remarks);
				for (const sentence of shadowWarnings(entry.found, entry.shadows)) warn(sentence);
			}
			for (const {document, shadows} of listing.knowledge.values())
				for (const sentence of shadowWarnings(document, shadows)) warn(sentence);
			for (const {found, problem} of listing.unusable)
				if (found.shelf.holds === 'skill') warn(workflowTexts.skillIgnored(shown(found), problem));
		},
	};
}

function shadowWarnings(found: Found, shadows: readonly Found[]): readonly string[] {
	return shadows.map(own => workflowTexts.replacesYours(nameOf(found), shown(found), shown(own)));
}
