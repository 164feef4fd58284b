import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {dialectNames, dialects, type ChatDialect, type DialectName} from '../../../src/worker/wires/dialects.ts';
import {formNames} from '../../../src/worker/wires/forms.ts';
import {knownProviders, providers, type ProviderFacts} from '../../../src/worker/wires/providers.ts';
import {projectRoot} from '../../helpers/built.ts';

const page = readFileSync(join(projectRoot, 'docs/providers.md'), 'utf8');

/** The rows of the table below a heading, as cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
	const [, rest = ''] = page.split(`\n## ${heading}\n`);
	const [section = ''] = rest.split('\n## ');
	const rows = section.split('\n').filter(line => line.startsWith('|'));
	return rows.slice(2).map(line =>
		line
			.split('|')
			.slice(1, -1)
			.map(cell => cell.trim()),
	);
}

/** Every code in a cell. */
function codesIn(cell: string | undefined): readonly string[] {
	return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

describe('the docs page about providers', () => {
	it('lists every known provider with its key and its addresses, in the order of the code', () => {
		expect(
			rowsBelow('The servers that inkpod knows').map(([, ...cells]) => cells.slice(0, 3).map(codesIn)),
		).toEqual(
			knownProviders.map(name => {
				const {keyVariable, baseURL, baseURLVariable}: ProviderFacts = providers[name];
				return [[`${name}/…`], [keyVariable ?? []].flat(), [baseURL ?? [], baseURLVariable ?? []].flat()];
			}),
		);
	});

	it('describes for every provider which thoughts are sent back', () => {
		const shown = rowsBelow('The servers that inkpod knows').map(cells => cells[4] ?? '');
		for (const [index, name] of knownProviders.entries()) {
			const {dialect}: ProviderFacts = providers[name];
			if (dialect === undefined) continue;
			const {thoughts}: ChatDialect = dialects[dialect];
			expect([name, codesIn(shown[index])]).toEqual([name, [thoughts?.field ?? []].flat()]);
			if (thoughts === undefined) expect(shown[index]).toBe('no');
			if (thoughts?.when === 'loop') expect(shown[index]).toContain('until your next message');
		}
	});

	it('lists every dialect with its rules', () => {
		const ids = {any: 'any', alphanumeric: 'letters and digits', nine: 'nine letters and digits'};
		const row = (name: DialectName) => {
			const {callIds, answersTools, thoughts, foreignCall}: ChatDialect = dialects[name];
			const field = foreignCall === undefined ? thoughts?.field : 'extra_content';
			return [
				`\`${name}\``,
				ids[callIds],
				answersTools === true ? 'an assistant message' : 'nothing',
				field ?? 'none',
			];
		};
		const shown = rowsBelow('Dialects').map(([name, id, order, fields]) => [
			name,
			id,
			order,
			codesIn(fields)[0] ?? fields,
		]);
		expect(shown).toEqual(dialectNames.map(row));
	});

	it('lists every change that a server may ask for', () => {
		expect(rowsBelow('When a server refuses a request').map(([, , name]) => codesIn(name)[0])).toEqual(formNames);
	});

	it('names the dialects that read think tags', () => {
		const having = (has: (dialect: ChatDialect) => boolean) => dialectNames.filter(name => has(dialects[name]));
		expect(having(({thinkTags}) => thinkTags === true)).toEqual([
			'safe',
			'strict',
			'together',
			'fireworks',
			'perplexity',
			'ollama',
			'lmstudio',
			'llama.cpp',
			'vllm',
		]);
	});
});
