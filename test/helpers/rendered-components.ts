import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {projectRoot} from './built.ts';

/** React's data about a component instance. The names are React's own. */
type Fiber = {
	readonly type: unknown;
	readonly tag: number;
	readonly flags: number;
	readonly alternate: Fiber | null;
	readonly child: Fiber | null;
	readonly sibling: Fiber | null;
};

const performedWork = 1;
/**
Includes function components, also in `forwardRef` or a plain `memo`. A `memo` with a comparison (tag 14) only contains
one.
*/
const componentTags: ReadonlySet<number> = new Set([0, 11, 15]);

/**
Counts the components that Ink's React renders from now on, by name. It installs the hook of React's developer tools,
and React reports its commits there.
*/
export async function countRendered(): Promise<{readonly take: () => Readonly<Record<string, number>>}> {
	let counts: Record<string, number> = {};
	const onCommitFiberRoot = (_: number, {current}: {readonly current: Fiber}) =>
		visit(current, name => {
			counts[name] = (counts[name] ?? 0) + 1;
		});
	Object.assign(globalThis, {
		__REACT_DEVTOOLS_GLOBAL_HOOK__: {
			isDisabled: false,
			supportsFiber: true,
			inject: () => 1,
			onCommitFiberRoot,
			onCommitFiberUnmount() {},
			onPostCommitFiberRoot() {},
			checkDCE() {},
		},
	});
	const file = pathToFileURL(path.join(projectRoot, 'node_modules/ink/build/reconciler.js')).href;
	const {default: reconciler} = (await import(file)) as {readonly default: {injectIntoDevTools(): boolean}};
	reconciler.injectIntoDevTools();
	return {
		take() {
			const taken = counts;
			counts = {};
			return taken;
		},
	};
}

/** Visits only changed components: in React, unchanged children are the same objects. */
function visit(fiber: Fiber, rendered: (name: string) => void): void {
	if (componentTags.has(fiber.tag) && (fiber.flags & performedWork) !== 0) rendered(nameOf(fiber.type));
	if (fiber.alternate !== null && fiber.child === fiber.alternate.child) return;
	for (let child = fiber.child; child !== null; child = child.sibling) visit(child, rendered);
}

function nameOf(type: unknown): string {
	if (typeof type === 'function') return type.name;
	const {
		displayName,
		render,
		type: inner,
	} = type as {readonly displayName?: string; readonly render?: unknown; readonly type?: unknown};
	return displayName ?? nameOf(render ?? inner);
}
