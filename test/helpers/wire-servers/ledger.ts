import {createHash} from 'node:crypto';

/**
Records what a server signed, and which parts must come back together. A ledger may outlive a server, like a provider's
key.
*/
export type Ledger = {
	/** Returns a new signature for a text. */
	sign(text: string): string;
	/** From now on a request with `marker` must contain these signatures. */
	owe(marker: string, signatures: readonly string[]): void;
	/** Returns why a request with these signatures and markers is refused. Each signature comes with its text. */
	refuse(signed: ReadonlyMap<string, string>, markers: readonly string[]): string | undefined;
	/** Returns why a message with these markers is refused if it has only these signatures. */
	missing(markers: readonly string[], present: ReadonlySet<string>): string | undefined;
};

export function createLedger(): Ledger {
	const issued = new Map<string, string>();
	const owed = new Map<string, readonly string[]>();
	const missing: Ledger['missing'] = (markers, present) => {
		const marker = markers.find(each => owed.get(each)?.some(signature => !present.has(signature)));
		return marker === undefined ? undefined : `What was signed with ${marker} did not come back.`;
	};
	return {
		missing,
		sign(text) {
			const signature = createHash('sha256').update(`${issued.size}:${text}`).digest('base64');
			issued.set(signature, text);
			return signature;
		},
		owe(marker, signatures) {
			if (signatures.length > 0) owed.set(marker, [...signatures]);
		},
		refuse(signed, markers) {
			for (const [signature, text] of signed) {
				if (!issued.has(signature)) return `Invalid signature ${signature}.`;
				if (issued.get(signature) !== text) return `The text under signature ${signature} was changed.`;
			}
			return missing(markers, new Set(signed.keys()));
		},
	};
}
