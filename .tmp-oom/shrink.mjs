import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
let {tree, columns} = JSON.parse(readFileSync('/root/lead/oom-tree2.json','utf8'));
const dies = t => { writeFileSync('/root/lead/oom-try.json', JSON.stringify({tree: t, columns})); const r = spawnSync('node_modules/.bin/node', ['--max-old-space-size=120', '.tmp-oom/b.ts', '/root/lead/oom-try.json'], {timeout: 40000, env: {...process.env, NODE_ENV: 'production'}}); return r.status !== 0; };
const paths = (t, p = []) => [p, ...(t.children ?? []).flatMap((c, i) => typeof c === 'string' ? [[...p, 'children', i]] : paths(c, [...p, 'children', i])), ...(t.child ? paths(t.child, [...p, 'child']) : [])];
const at = (t, p) => p.reduce((n, k) => n[k], t);
for (let again = true; again;) {
	again = false;
	for (const p of paths(tree).toReversed()) {
		if (p.length === 0) continue;
		const copy = structuredClone(tree); const key = p.at(-1); const parent = at(copy, p.slice(0, -1));
		if (key === 'child') continue;
		parent.splice(key, 1);
		if (dies(copy)) { tree = copy; again = true; console.log('cut', p.join('.')); break; }
	}
	if (again) continue;
	for (const p of paths(tree)) { const node = at(tree, p); if (typeof node === 'string' || !node.props) continue;
		for (const k of Object.keys(node.props)) { const copy = structuredClone(tree); delete at(copy, p).props[k]; if (dies(copy)) { tree = copy; again = true; console.log('prop', p.join('.'), k); break; } }
		if (again) break; }
}
console.log(JSON.stringify({tree, columns}, null, 1));
