import type {Message} from '../../../../pod/protocol.ts';

/**
Returns the citations of an answer, one numbered line each. It includes every text in them, since providers send it back
to the model. Encrypted data and names of kinds are left out.
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
