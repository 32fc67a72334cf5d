#include "manual/man_page.hpp"

#include "cli/exit_status.hpp"
#include "manual/help.hpp"
#include "nodes/configuration_file.hpp"
#include "nodes/tls_words.hpp"

#include <redlock/version.hpp>

#include <fmt/format.h>

namespace redlock::tool {
namespace {

/// The text as roff shows it: hyphens that can be copied, no escapes, no requests.
std::string roff(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if ((c == '.' || c == '\'') && result.empty())
            result += std::string("\\&") + c;
        else
            result += c;
    }
    return result;
}

std::string heading(const std::string& page, const std::string& summary) {
    std::string title = page;
    for (char& c : title)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    // No date: the same source gives the same page.
    return fmt::format(".TH {} 1 \"\" \"redlock {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(title),
                       version(), roff(page), roff(summary));
}

std::string section(const std::string& name) { return ".SH " + name + '\n'; }

std::string item(const std::string& term, const std::string& meaning) {
    return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(meaning));
}

std::string item(const option& o) {
    if (o.value.empty()) return item(spelled(o.names), o.help + '.');
    return fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n{}.\n", roff(spelled(o.names)), roff(o.value),
                       roff(o.help));
}

std::string paragraphs(const std::vector<std::string>& texts) {
    std::string result;
    for (const auto& text : texts)
        result += ".PP\n" + roff(text) + '\n';
    return result;
}

std::string examples_of(const command& what) {
    if (what.examples.empty()) return "";
    std::string text = section("EXAMPLES");
    for (const auto& e : what.examples)
        text += fmt::format(".PP\n{}:\n.PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n", roff(e.purpose), roff(e.line));
    return text;
}

std::string exits_of(const command& what) {
    std::string text = section("EXIT STATUS");
    for (const auto& e : what.exits)
        text += item(std::to_string(e.status), e.meaning.empty() ? meaning_of(e.status) : e.meaning);
    return text;
}

std::string configuration_section() {
    std::string text =
        section("CONFIGURATION FILE") +
        paragraphs({"Lines of the form \"name = value\"; empty lines and lines that begin with # are "
                    "passed over. The command line takes precedence. A file with a password in an address is "
                    "refused when everybody may read it, or others may change it. The names are:"});
    for (const auto& n : configuration_names())
        text += fmt::format(".TP\n\\fB{}\\fR = \\fI{}\\fR\n{}.\n", roff(n.name), roff(n.value), roff(n.help));
    return text;
}

std::string statuses_section() {
    std::string text =
        section("EXIT STATUS") +
        paragraphs({"run and local end with the status of the command they ran, 128 + n when signal n "
                    "ended it. All others, and these two when something else is to be said, use:"});
    for (const int status : {fine, usage, held, wait_timeout, no_quorum, lease_lost, refused, failed, split,
                             unfit, unchanged, cannot_run, not_found})
        text += item(std::to_string(status), meaning_of(status));
    text += item("128 + n", "signal n ended redlock or the command");
    return text;
}

std::string environment_section() {
    std::string text =
        section("ENVIRONMENT") +
        item(
            "REDLOCK_NODES",
            "The nodes, separated by commas or blanks, where there is no --node. When a password is in it, a "
            "command that redlock-run(1) runs does not find it in its environment, unless there is "
            "--keep-passwords.") +
        item("REDLOCK_BACKUP",
             "What locks are taken from as well, where there is no --backup. What is said of "
             "passwords in REDLOCK_NODES holds for it.") +
        item("REDLOCK_USER", "Whom to log in as on all nodes, where there is no --user.") +
        item("REDLOCK_PASSWORD_FILE", "The file with the password, where there is no --password-file.") +
        item("REDLOCK_PASSWORD",
             "The password, where there is no such file. A command that redlock-run(1) runs "
             "does not find it in its environment, unless there is --keep-passwords.");
    for (const tls_word& w : tls_words())
        text += item(w.variable, fmt::format("What {} is where that is not given.", w.option));
    return text +
           item("NO_COLOR",
                "When it is set to anything, nothing is coloured. Without it, what goes to a terminal is.");
}

} // namespace

std::string tool_page(const std::vector<command>& all, const std::vector<option>& shared) {
    std::string text =
        heading("redlock", "locks on a majority of Redis nodes, from a shell") + section("SYNOPSIS") +
        "\\fBredlock\\fR [\\fINODES\\fR] \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n" + section("DESCRIPTION") +
        paragraphs({"Takes and shows locks that are held on a majority of independent Redis servers, by "
                    "the Redlock algorithm.",
                    "The commands are:"});
    for (const auto& each : all)
        text += item("redlock-" + each.name + "(1)", each.summary + '.');
    text +=
        section("OPTIONS") +
        paragraphs({"These are common to all commands that use nodes, and may stand before COMMAND too."});
    for (const auto& o : shared)
        text += item(o);
    return text +
           paragraphs(
               {"A TIME is a number with the unit ms, s, m, h or d, such as 1.5s; without one, seconds."}) +
           environment_section() + configuration_section() + statuses_section();
}

std::string command_page(const command& what, const std::vector<option>& shared) {
    std::string text = heading("redlock-" + what.name, what.summary) + section("SYNOPSIS") +
                       roff(synopsis(what)) + '\n' + section("DESCRIPTION") + paragraphs(what.description) +
                       section("OPTIONS");
    for (const auto& a : what.arguments)
        text += item(a.name, a.help + '.');
    for (const auto& o : what.options)
        text += item(o);
    if (what.uses_nodes)
        for (const auto& o : shared)
            text += item(o);
    return text + exits_of(what) + examples_of(what) + section("SEE ALSO") + ".BR redlock (1)\n";
}

} // namespace redlock::tool
