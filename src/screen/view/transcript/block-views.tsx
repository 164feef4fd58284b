import {memo, type ComponentType, type ReactElement} from 'react';
import type {BlockKind} from '../../../transcript/block.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {labelOf} from '../../rows/spoken/spoken-block.ts';
import {isSameVisible, type VisibleRow} from '../../rows/viewport/visible-rows.ts';

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
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows an answer of the model. */
function AssistantBlock(props: BlockProps<'assistant'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows the model's thoughts as one row. The detail view adds the text. */
function ThinkingBlock(props: BlockProps<'thinking'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows a tool call with its result. */
function ToolBlock(props: BlockProps<'tool'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows context for the model: a file, a workflow with its knowledge, a command's output. */
function SystemBlock(props: BlockProps<'system'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows one row about the session. */
function NoticeBlock(props: BlockProps<'notice'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows the usage of a run and how it ended. */
function UsageBlock(props: BlockProps<'usage'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows the summary that replaced older turns. */
function CompactionBlock(props: BlockProps<'compaction'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

/** Shows a child session that you started. */
function ChildBlock(props: BlockProps<'child'>): ReactElement {
	return <BlockRows {...props} label={() => labelOf(props.block, props.phase)} />;
}

type Shown = {readonly rows: readonly VisibleRow[]};

/** Tells whether a block still looks the same, by comparing its rows. */
function isSameBlock(one: Shown, other: Shown): boolean {
	return isSameVisible(one.rows, other.rows);
}
