// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Translates NIR's structured control flow to SPIR-V's (section 2.11 of the SPIR-V specification).
// A NIR loop becomes: header (phis, OpLoopMerge), body, one continue block, merge block. The
// header's phis take the value of the back edge from the continue block, which gathers the values
// of all `continue`s.

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

const nir_block* first_block(const exec_list* list) {
    const exec_node* head = exec_list_get_head_const(list);
    return nir_cf_node_as_block(exec_node_data(nir_cf_node, head, node));
}

const nir_block* block_after(const nir_cf_node* node) {
    return nir_cf_node_as_block(nir_cf_node_next(const_cast<nir_cf_node*>(node)));
}

} // namespace

void Translator::mark_reachable(const nir_block* block) {
    std::vector<const nir_block*> stack{block};
    while (!stack.empty()) {
        const nir_block* top = stack.back();
        stack.pop_back();
        if (!top || reachable_[top->index])
            continue;
        reachable_[top->index] = true;
        stack.push_back(top->successors[0]);
        stack.push_back(top->successors[1]);
    }
}

Id Translator::label_of(const nir_block* block) {
    Id& label = labels_[block->index];
    if (!label)
        label = b_.make_id();
    return label;
}

Kind Translator::phi_kind(const nir_phi_instr* phi) const {
    if (phi->def.bit_size == 1)
        return Kind::boolean;
    return float_defs_[phi->def.index] ? Kind::floating : Kind::uint;
}

void Translator::emit_body(const nir_function_impl* impl) {
    labels_.assign(impl->num_blocks + 1, 0);
    reachable_.assign(impl->num_blocks + 1, false);
    mark_reachable(nir_start_block(const_cast<nir_function_impl*>(impl)));
    if (emit_list(&impl->body)) {
        epilogue();
        b_.emit_void(spv::Op::OpReturn, {});
    }
}

// Each emit_* function returns whether control continues after it (its last block is still open).
bool Translator::emit_list(const exec_list* list) {
    foreach_list_typed(nir_cf_node, node, node, list) {
        bool goes_on = true;
        switch (node->type) {
        case nir_cf_node_block:
            goes_on = emit_block(nir_cf_node_as_block(node));
            break;
        case nir_cf_node_if:
            goes_on = emit_if(nir_cf_node_as_if(node));
            break;
        case nir_cf_node_loop:
            goes_on = emit_loop(nir_cf_node_as_loop(node));
            break;
        case nir_cf_node_function:
            fail("a nested function");
            break;
        }
        if (!goes_on || error_)
            return false;
    }
    return true;
}

// Before a block's terminator: its value for each phi of its successors, in the phi's type.
void Translator::leave_block(const nir_block* block) {
    for (const nir_block* successor : block->successors) {
        if (!successor)
            continue;
        nir_foreach_phi(phi, const_cast<nir_block*>(successor)) {
            nir_foreach_phi_src(source, phi) {
                if (source->pred == block)
                    phi_edges_[{phi, block}] = {get(source->src, phi_kind(phi)), 0};
            }
        }
        // Bitcasts above don't open blocks, so the label is that of the terminator's block.
        nir_foreach_phi(phi, const_cast<nir_block*>(successor)) {
            if (const auto edge = phi_edges_.find({phi, block}); edge != phi_edges_.end())
                edge->second.block = b_.current_block();
        }
    }
}

void Translator::emit_phis(const nir_block* block) {
    nir_foreach_phi(phi, const_cast<nir_block*>(block)) {
        const Kind kind = phi_kind(phi);
        std::vector<uint32_t> operands;
        nir_foreach_phi_src(source, phi) {
            const auto edge = phi_edges_.find({phi, source->pred});
            if (edge != phi_edges_.end())
                operands.insert(operands.end(), {edge->second.value, edge->second.block});
        }
        const Id type = value_type(kind, phi->def.bit_size, phi->def.num_components);
        set(&phi->def, kind, b_.emit(spv::Op::OpPhi, type, operands));
    }
}

bool Translator::emit_block(const nir_block* block) {
    const bool is_header = !loops_.empty() && loops_.back().header == block;
    const bool is_entry = block->cf_node.parent->type == nir_cf_node_function &&
                          nir_cf_node_is_first(const_cast<nir_cf_node*>(&block->cf_node));
    if (!is_header && !is_entry) {
        b_.begin_block(label_of(block));
        if (!reachable_[block->index]) {
            b_.emit_void(spv::Op::OpUnreachable, {});
            return false;
        }
        emit_phis(block);
    }
    nir_foreach_instr(instr, const_cast<nir_block*>(block)) {
        if (instr->type == nir_instr_type_phi)
            continue;
        if (instr->type == nir_instr_type_jump) {
            leave_block(block);
            emit_jump(nir_instr_as_jump(instr));
            return false;
        }
        emit_instruction(instr);
        if (error_)
            return false;
    }
    leave_block(block);
    return true;
}

void Translator::emit_jump(const nir_jump_instr* jump) {
    switch (jump->type) {
    case nir_jump_break:
        b_.emit_void(spv::Op::OpBranch, {loops_.back().merge_label});
        return;
    case nir_jump_continue:
        b_.emit_void(spv::Op::OpBranch, {loops_.back().continue_label});
        return;
    case nir_jump_return:
    case nir_jump_halt:
        epilogue();
        b_.emit_void(spv::Op::OpReturn, {});
        return;
    default:
        fail("an unstructured jump");
        return;
    }
}

bool Translator::emit_if(const nir_if* node) {
    const nir_block* after = block_after(&node->cf_node);
    const Id then_label = label_of(first_block(&node->then_list));
    const Id else_label = label_of(first_block(&node->else_list));
    const Id merge_label = label_of(after);
    const Id condition = get(node->condition, Kind::boolean);
    const auto control = node->control == nir_selection_control_flatten ||
                                 node->control == nir_selection_control_divergent_always_taken
                             ? spv::SelectionControlMask::Flatten
                         : node->control == nir_selection_control_dont_flatten
                             ? spv::SelectionControlMask::DontFlatten
                             : spv::SelectionControlMask::MaskNone;
    b_.emit_void(spv::Op::OpSelectionMerge, {merge_label, uint32_t(control)});
    b_.emit_void(spv::Op::OpBranchConditional, {condition, then_label, else_label});
    if (emit_list(&node->then_list))
        b_.emit_void(spv::Op::OpBranch, {merge_label});
    if (!error_ && emit_list(&node->else_list))
        b_.emit_void(spv::Op::OpBranch, {merge_label});
    return !error_; // the list has a block after the if, reachable or not
}

bool Translator::emit_loop(const nir_loop* loop) {
    const nir_block* header = first_block(&loop->body);
    const nir_block* after = block_after(&loop->cf_node);
    const nir_block* before =
        nir_cf_node_as_block(nir_cf_node_prev(const_cast<nir_cf_node*>(&loop->cf_node)));
    const LoopFrame frame{b_.make_id(), label_of(after), header, after};
    const Id entry_block = b_.current_block();
    const Id body_label = b_.make_id();

    b_.emit_void(spv::Op::OpBranch, {label_of(header)});
    b_.begin_block(label_of(header));
    struct HeaderPhi {
        const nir_phi_instr* phi;
        size_t position;
    };
    std::vector<HeaderPhi> phis;
    nir_foreach_phi(phi, const_cast<nir_block*>(header)) {
        const Kind kind = phi_kind(phi);
        const Id type = value_type(kind, phi->def.bit_size, phi->def.num_components);
        HeaderPhi entry{phi, 0};
        const Id id = b_.emit_phi_placeholder(type, 2, &entry.position);
        set(&phi->def, kind, id);
        phis.push_back(entry);
    }
    const auto control = loop->control == nir_loop_control_unroll ? spv::LoopControlMask::Unroll
                         : loop->control == nir_loop_control_dont_unroll
                             ? spv::LoopControlMask::DontUnroll
                             : spv::LoopControlMask::MaskNone;
    b_.emit_void(spv::Op::OpLoopMerge,
                 {frame.merge_label, frame.continue_label, uint32_t(control)});
    b_.emit_void(spv::Op::OpBranch, {body_label});
    b_.begin_block(body_label);

    loops_.push_back(frame);
    if (emit_list(&loop->body))
        b_.emit_void(spv::Op::OpBranch, {frame.continue_label});
    loops_.pop_back();
    if (error_)
        return false;

    b_.begin_block(frame.continue_label);
    for (const HeaderPhi& entry : phis) {
        const nir_phi_instr* phi = entry.phi;
        const Id type = value_type(phi_kind(phi), phi->def.bit_size, phi->def.num_components);
        Id first = 0;
        std::vector<uint32_t> back_edges;
        nir_foreach_phi_src(source, phi) {
            const auto edge = phi_edges_.find({phi, source->pred});
            if (edge == phi_edges_.end())
                continue;
            if (source->pred == before)
                first = edge->second.value;
            else
                back_edges.insert(back_edges.end(), {edge->second.value, edge->second.block});
        }
        Id back = 0;
        if (back_edges.empty())
            back = b_.constant_null(type);
        else if (back_edges.size() == 2)
            back = back_edges[0];
        else
            back = b_.emit(spv::Op::OpPhi, type, back_edges);
        if (!first)
            first = b_.constant_null(type);
        const std::array edges{std::pair{first, entry_block},
                               std::pair{back, frame.continue_label}};
        b_.patch_phi(entry.position, edges);
    }
    b_.emit_void(spv::Op::OpBranch, {label_of(header)});
    return true;
}

void Translator::emit_conditional_kill(Id condition) {
    const Id kill = b_.make_id();
    const Id merge = b_.make_id();
    b_.emit_void(spv::Op::OpSelectionMerge, {merge, uint32_t(spv::SelectionControlMask::MaskNone)});
    b_.emit_void(spv::Op::OpBranchConditional, {condition, kill, merge});
    b_.begin_block(kill);
    const bool terminates = target_.spirv_version >= 0x00010600;
    if (terminates)
        b_.extension("SPV_KHR_terminate_invocation"); // the module's version may be an earlier one
    b_.emit_void(terminates ? spv::Op::OpTerminateInvocation : spv::Op::OpKill, {});
    b_.begin_block(merge);
}

} // namespace kobalt::spirv
