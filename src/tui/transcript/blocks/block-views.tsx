import {memo, type ComponentType, type ReactElement} from 'react';
import type {BlockKind} from '../fold/block.ts';
import {systemWords} from '../fold/system-title.ts';
import {compactionWords} from '../rows/compaction.ts';
import {usageWords} from '../rows/usage.ts';
import {thinkingWords} from '../rows/thinking.ts';
import {toolWords} from '../rows/tool.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';
import {spokenLabels} from '../texts.ts';

/** The component of any block. */
export type BlockView = ComponentType<BlockProps>;

/** What shows a block, by its kind: its rows (rows/), and what a screen reader calls it. */
export const BlockViews: {readonly [Kind in BlockKind]: ComponentType<BlockProps<Kind>>} = {
	user: memo(UserBlock, isSameBlock),
	assistant: memo(AssistantBlock, isSameBlock),
	thinking: memo(ThinkingBlock, isSameBlock),
	tool: memo(ToolBlock, isSameBlock),
	system: memo(SystemBlock, isSameBlock),
	notice: memo(NoticeBlock, isSameBlock),
	usage: memo(UsageBlock, isSameBlock),
	compaction: memo(CompactionBlock, isSameBlock),
};

/** One of your messages. */
function UserBlock(props: BlockProps<'user'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.user})} />;
}

/** An answer of the model. */
function AssistantBlock(props: BlockProps<'assistant'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.assistant})} />;
}

/** The thoughts of the model: one row, the text in the detail view. */
function ThinkingBlock(props: BlockProps<'thinking'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: `${spokenLabels.thinking}: ${thinkingWords(props.block)}`})} />;
}

/** A call of a tool with its result. */
function ToolBlock(props: BlockProps<'tool'>): ReactElement {
	const {block, phase = 'waiting'} = props;
	return <BlockRows {...props} label={() => ({title: toolWords(block, {phase, columns: spokenColumns})})} />;
}

/** What was given to the model: a file, a workflow with its knowledge, a command's output. */
function SystemBlock(props: BlockProps<'system'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: systemWords(props.block)})} />;
}

/** One row about the session. */
function NoticeBlock(props: BlockProps<'notice'>): ReactElement {
	return <BlockRows {...props} label={() => ({before: spokenLabels.notice})} />;
}

/** What a run used and how it ended. */
function UsageBlock(props: BlockProps<'usage'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: usageWords(props.block)})} />;
}

/** The summary that took the place of older turns. */
function CompactionBlock(props: BlockProps<'compaction'>): ReactElement {
	return <BlockRows {...props} label={() => ({title: compactionWords(props.block)})} />;
}

/** How much of an argument is said: about what three rows of a screen show. */
const spokenColumns = 80;
