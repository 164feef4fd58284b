import type {Segment} from '../../../src/pod/protocol.ts';
import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

export const attachedFiles: {readonly [name: string]: () => Situation} = {
	file() {
		const make = createItems();
		const file = make.file(
			'src/a.ts',
			'export const one = 1;\nexport const two = 2;\n\nfunction add(a: number, b: number) {\n\treturn a + b;\n}\n',
			{range: {first: 10, last: 15}},
		);
		return {
			items: [
				make.user('', [
					{type: 'text', text: 'explain '},
					{type: 'file_ref', path: 'src/a.ts', range: {first: 10, last: 15}, outcome: {item: file.id}},
					{type: 'text', text: ' please'},
				]),
				file,
				make.assistant('It adds.'),
				make.request(),
				make.end(),
			],
		};
	},
	editor() {
		const make = createItems();
		const body = 'export const one = 1;\n// TODO\n';
		const sent = make.item('message', {
			role: 'system',
			text: `[File: src/a.ts]\n${body}`,
			origin: {
				kind: 'editor',
				path: 'src/a.ts',
				uri: 'file:///project/src/a.ts',
				bytes: body.length,
				lines: 2,
				sha256: 'a'.repeat(64),
			},
		});
		return {
			items: [
				make.user('', [
					{type: 'text', text: 'Finish '},
					{type: 'file_ref', path: 'src/a.ts', outcome: {item: sent.id}},
				]),
				sent,
				make.assistant('Done.'),
				make.request(),
				make.end(),
			],
		};
	},
	shared() {
		const make = createItems();
		const body = 'The first note.\nThe second note.\n';
		const resource = make.item('message', {
			role: 'system',
			text: `[File: notes:note://all]\n${body}`,
			origin: {
				kind: 'resource',
				server: 'notes',
				uri: 'note://all',
				mime: 'text/markdown',
				bytes: body.length,
				totalBytes: 4096,
				lines: 2,
				truncated: true,
				sha256: 'a'.repeat(64),
			},
		});
		const prompt = make.item('message', {
			role: 'system',
			text: '[Workflow: /notes:review]\nUser: Review these notes.\n\nAssistant: Which ones?',
			origin: {
				kind: 'prompt',
				server: 'notes',
				name: 'review',
				arguments: 'style=short',
				messages: 2,
				sha256: 'b'.repeat(64),
			},
		});
		return {
			items: [
				make.user('', [
					{type: 'workflow', slug: 'notes:review'},
					{type: 'text', text: ' style=short '},
					{type: 'file_ref', path: 'notes:note://all', outcome: {item: resource.id}},
				]),
				resource,
				prompt,
				make.assistant('Both are fine.'),
				make.request(),
				make.end(),
			],
		};
	},
	diagnostics() {
		const make = createItems();
		const text =
			'src/a.ts(3,7): error TS2322: Type string is not assignable to type number.\nsrc/b.ts(1,1): unused.';
		return {
			items: [
				make.user('Rename it'),
				make.item('message', {
					role: 'system',
					text: `[Diagnostics: tsc --noEmit]\n${text}`,
					origin: {kind: 'diagnostics', command: 'tsc --noEmit', findings: 2},
				}),
				make.item('context', {op: 'prune', ids: ['r1', 'r2'], rule: {reason: 'cache_expired', bytes: 34_567}}),
				make.assistant('One caller is left.'),
				make.request(),
				make.end(),
			],
		};
	},
	'truncated-file'() {
		const make = createItems();
		const file = make.file(
			'logs/big.log',
			Array.from({length: 34}, (_, line) => `line ${String(line + 1).padStart(3)} of the log, goes on\n`)
				.join('')
				.slice(0, 1024),
			{totalBytes: 49_152},
		);
		return {
			items: [
				make.user('', [{type: 'file_ref', path: 'logs/big.log', outcome: {item: file.id}}]),
				file,
				make.assistant('Nothing odd.'),
				make.request(),
				make.end(),
			],
		};
	},
	'empty-file'() {
		const make = createItems();
		const files = [
			make.file('empty.txt', ''),
			make.file('four.txt', 'one\ntwo\nthree\nfour\n'),
			make.file('five.txt', 'one\ntwo\nthree\nfour\nfive\n'),
		];
		const refs = files.flatMap(({id, origin}): Segment[] => [
			{type: 'text', text: ' '},
			{type: 'file_ref', path: String(origin?.['path']), outcome: {item: id}},
		]);
		return {
			items: [
				make.user('', [{type: 'text', text: 'how long are these?'}, ...refs]),
				...files,
				make.assistant('0, 4 and 5 lines.'),
				make.request(),
				make.end(),
			],
		};
	},
	images() {
		const make = createItems();
		const image = (path: string, width: number, height: number, bytes: number) =>
			make.item('message', {
				role: 'system',
				text: `[Image: ${path}, ${width}x${height}, ${Number((bytes / 1024).toPrecision(3))} KB]`,
				origin: {kind: 'image', path, mime: 'image/png', bytes, width, height, sha256: 'a'.repeat(64)},
			});
		const document = make.item('message', {
			role: 'system',
			text: '[Document: 論文.pdf, PDF, 1.2 MB]',
			origin: {
				kind: 'document',
				path: '論文.pdf',
				mime: 'application/pdf',
				bytes: 1_258_291,
				sha256: 'b'.repeat(64),
			},
		});
		const items = [image('shot.png', 1200, 800, 348_160), image('a\u001b[31m\nb.png', 1, 1, 68), document];
		const refs = items.flatMap(({id, origin}): Segment[] => [
			{type: 'text', text: ' '},
			{type: 'file_ref', path: String(origin?.['path']), outcome: {item: id}},
		]);
		const last: Segment = {
			type: 'file_ref',
			path: 'pasted-1.png',
			pasted: 'c'.repeat(64),
			outcome: {failed: 'model'},
		};
		return {
			items: [
				make.user('', [{type: 'text', text: 'what do these show?'}, ...refs, {type: 'text', text: ' '}, last]),
				...items,
				make.assistant('A window, a dot and a paper.'),
				make.request(),
				make.end(),
			],
		};
	},
	'changed-on-disk'() {
		const make = createItems();
		const changed = make.file('src/a.ts', 'export const one = 1;\n');
		const gone = make.file('notes/long-name-of-a-note.md', 'Remember.\n');
		const same = make.file('src/b.ts', 'export const two = 2;\n');
		const refs = [changed, gone, same].flatMap(({id, origin}): Segment[] => [
			{type: 'text', text: ' '},
			{type: 'file_ref', path: String(origin?.['path']), outcome: {item: id}},
		]);
		return {
			items: [
				make.user('', [{type: 'text', text: 'compare'}, ...refs]),
				changed,
				gone,
				same,
				make.assistant('They differ.'),
				make.request(),
				make.end(),
			],
			stale: {[changed.id]: 'changed', [gone.id]: 'gone'},
		};
	},
	directory() {
		const make = createItems();
		const dir = make.system('[Dir: src]\nblocks/\nscreen/\nindex@\napp.tsx\nkeys.ts\ntheme.ts', {
			kind: 'dir',
			path: 'src',
			entries: 6,
			truncated: false,
		});
		return {
			items: [
				make.user('', [
					{type: 'text', text: 'what is in '},
					{type: 'file_ref', path: 'src', outcome: {item: dir.id}},
				]),
				dir,
				make.assistant('Two folders, a link and three files.'),
				make.request(),
				make.end(),
			],
		};
	},
	'failed-refs'() {
		const make = createItems();
		const failed = (path: string, reason: 'not_found' | 'binary' | 'denied') => ({
			type: 'file_ref' as const,
			path,
			outcome: {failed: reason},
		});
		return {
			items: [
				make.user('', [
					{type: 'text', text: 'compare '},
					failed('./gone.ts', 'not_found'),
					{type: 'text', text: ' with '},
					failed('logo.png', 'binary'),
					{type: 'text', text: '\nand '},
					failed('.env', 'denied'),
					{type: 'text', text: ', see '},
					{type: 'paste', id: 'p1', chars: 78, lines: 6, content: 'const a = 1;\n'.repeat(6)},
				]),
				make.assistant('I could not see them.'),
				make.request(),
				make.end(),
			],
		};
	},
};
