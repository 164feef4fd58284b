import type {Message} from '../../../pod/protocol.ts';
import {webAddress} from '../../spans/links.ts';
import type {Span, Style} from '../../../text/span.ts';

/**
Returns the citations of an answer, each on a numbered line. The lines include every text in the citations, because
providers send these texts back to the model. Encrypted data and names of kinds are left out. A page is shown as its
title and its address, like a link.
*/
export function citationLines({provider = {}}: Pick<Message, 'provider'>): ReadonlyArray<readonly Span[]> {
	const citations = Object.values(provider).flatMap(data => (isRecord(data) ? elementsOf(data['citations']) : []));
	return citations.map((citation, index) => [{text: `[${index + 1}] `, style: 'dim'}, ...spansOf(citation)]);
}

function spansOf(citation: unknown): readonly Span[] {
	const texts = textsIn(citation);
	const url = texts.get('url');
	if (url === undefined) return [{text: [...texts.values()].join(' · '), style: 'dim'}];
	const title = texts.get('title') ?? url;
	texts.delete('url');
	texts.delete('title');
	const rest = [...texts.values()].map((text): Span => ({text: ` · ${text}`, style: 'dim'}));
	return [...(title === url ? [addressSpan(url, 'link')] : citedPage(title, url)), ...rest];
}

function citedPage(title: string, url: string): readonly Span[] {
	const bracket = (text: string): Span => ({text, style: 'path'});
	return [{text: title, style: 'link'}, bracket(' ('), addressSpan(url, 'path'), bracket(')')];
}

function addressSpan(url: string, style: Style): Span {
	const link = webAddress(url);
	return {text: url, style, link};
}

/** Returns the texts of a citation by name. A single text is an address. */
function textsIn(citation: unknown): Map<string, string> {
	const fields = typeof citation === 'string' ? {url: citation} : isRecord(citation) ? citation : {};
	return new Map(
		Object.entries(fields).flatMap(([name, value]) =>
			typeof value === 'string' && value.trim() !== '' && name !== 'type' && !name.startsWith('encrypted')
				? [[name, onOneLine(value)] as const]
				: [],
		),
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
