import {expect, it} from 'vitest';
import {deniedCalls} from '../../../src/cli/print/run-result.ts';
import {createItems} from '../../helpers/items.ts';

it('a denied call has the name of the latest call with its id, because small servers use ids again', () => {
	const make = createItems();
	const items = [
		make.call('call_0', 'read_file', {path: 'a.ts'}),
		make.result('call_0', '1 line', 'one'),
		make.call('call_0', 'write_file', {path: 'a.ts'}),
		{...make.result('call_0', '', 'Denied.', true), details: {denied: {by: 'rule'}}},
	];
	expect(deniedCalls(items, items.at(-1))).toMatchObject([{tool: 'write_file', by: 'rule'}]);
});

it('an earlier denied call keeps its name when a later call uses its id again', () => {
	const make = createItems();
	const items = [
		make.call('call_0', 'write_file', {path: 'a.ts'}),
		{...make.result('call_0', '', 'Denied.', true), details: {denied: {by: 'rule'}}},
		make.call('call_0', 'read_file', {path: 'a.ts'}),
		make.result('call_0', '1 line', 'one'),
	];
	expect(deniedCalls(items)).toMatchObject([{tool: 'write_file', by: 'rule'}]);
});

it('a denied call of call_tool has the name of the tool that it would have run', () => {
	const make = createItems();
	const items = [
		make.call('call_0', 'call_tool', {name: 'mcp__hub__get_label', arguments: {}}),
		{...make.result('call_0', '', 'Denied.', true), details: {denied: {by: 'unattended'}}},
	];
	expect(deniedCalls(items)).toMatchObject([{tool: 'mcp__hub__get_label', by: 'unattended'}]);
});
