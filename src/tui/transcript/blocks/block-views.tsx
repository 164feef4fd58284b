import {memo, type ComponentType, type ReactElement} from 'react';
import type {BlockKind} from '../fold/block.ts';
import {systemWords} from '../fold/system-title.ts';
import {childWords} from '../rows/parts/child.ts';
import {compactionWords} from '../rows/compaction.ts';
import {usageWords} from '../rows/usage.ts';
import {thinkingWords} from '../rows/thinking.ts';
import {toolWords} from '../rows/tool.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';
import {spokenLabels} from '../texts.ts';

/** The component of a block of any kind. */
export type BlockView = ComponentType<BlockProps>;

/** Maps each kind of block to its component, with a label for screen readers. */
export const BlockViews: {readonly [Kind in BlockKind]: ComponentType<BlockProps<Kind>>} = {
	user: memo(UserBlock, isSameBlock),
	assistant: memo(AssistantBlock, isSameBlock),
	thinking: memo(ThinkingBlock, isSameBlock),
	tool: memo(ToolBlock, isSameBlock),
	system: memo(SystemBlock, isSameBlock),
	notice: memo(NoticeBlock, isSameBlock),
	usage: memo(UsageBlock, isSameBlock),
	compaction: memo(CompactionBlock, isSameBlock),
	child: memo(ChildBlock, isSameBlock),
};

/** Shows one of your messages. */
function UserBlock(props: BlockProps<'user'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.user})} />;
}

/** Shows an answer of the model. */
function AssistantBlock(props: BlockProps<'assistant'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.assistant})} />;
}

/** Shows the model's thoughts as one row. The detail view adds the text. */
function ThinkingBlock(props: BlockProps<'thinking'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: `${spokenLabels.thinking}: ${thinkingWords(props.block)}`})} />;
}

/** Shows a tool call with its result. */
function ToolBlock(props: BlockProps<'tool'>): ReactElement {
	const {block, phase = 'waiting'} = props;
	return <BlockRows {...props} label={() => ({title: toolWords(block, {phase, columns: spokenColumns})})} />;
}

/** Shows context for the model: a file, a workflow with its knowledge, a command's output. */
function SystemBlock(props: BlockProps<'system'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: systemWords(props.block)})} />;
}

/** Shows one row about the session. */
function NoticeBlock(props: BlockProps<'notice'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.notice})} />;
}

/** Shows the usage of a run and how it ended. */
function UsageBlock(props: BlockProps<'usage'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: usageWords(props.block)})} />;
}

/** Shows the summary that replaced older turns. */
function CompactionBlock(props: BlockProps<'compaction'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: compactionWords(props.block)})} />;
}

/** Shows a child session that you started. */
function ChildBlock(props: BlockProps<'child'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: `${spokenLabels.child}: ${childWords(props.block)}`})} />;
}

/** The number of cells of an argument that a screen reader reads, about three rows of a screen. */
const spokenColumns = 80;
