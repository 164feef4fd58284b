import {endSentence} from '../../../language/index.ts';
import type {DocumentList} from './document-index.ts';
import type {DocumentFile} from './document.ts';
import {documentName, displayPathOf} from './invocation.ts';
import {workflowTexts} from './texts.ts';

/** Reports each warning about documents only once. */
type Warnings = {
	readonly addRemarks: (found: DocumentFile, remarks: readonly string[]) => void;
	readonly addListing: (listing: DocumentList) => void;
};

export function createWarnings(onWarning: (sentence: string) => void): Warnings {
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
