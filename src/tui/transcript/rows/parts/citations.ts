import type {Message} from '../../../../pod/protocol.ts';

/**
What an answer cites, one line each with its number: every text that a provider keeps with the answer in its citations,
since that goes back to the model. What is encrypted or only names a kind is left out.
*/
export function citationText({provider = {}}: Pick<Message, 'provider'>): string {
	const citations = Object.values(provider).flatMap(data => (isRecord(data) ? elementsOf(data['citations']) : []));
	return citations.map((citation, index) => `[${index + 1}] ${textsIn(citation).join(' · ')}`).join('\n');
}

function textsIn(citation: unknown): readonly string[] {
	if (!isRecord(citation)) return typeof citation === 'string' ? [onOneLine(citation)] : [];
	return Object.entries(citation).flatMap(([name, value]) =>
		typeof value === 'string' && name !== 'type' && !name.startsWith('encrypted') ? [onOneLine(value)] : [],
	);
}

function onOneLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}

function elementsOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
