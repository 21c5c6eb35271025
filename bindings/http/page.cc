// See page.h.
#include "bindings/http/page.h"

#include <sodium.h>

#include <array>
#include <string>
#include <string_view>

#include "bindings/http/embedded.h"

namespace muster::http {
namespace {

/// "'sha256-...'" of what stands between <NAME> and </NAME>, as browsers compute it.
std::string SourceHash(std::string_view html, const std::string& name) {
  const std::size_t begin = html.find("<" + name + ">") + name.size() + 2;
  const std::string_view source = html.substr(begin, html.find("</" + name + ">") - begin);
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(source.data()),
                     source.size());
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(hash.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(), kVariant);
  text.pop_back();  // the zero behind it
  return "'sha256-" + text + "'";
}

std::string ContentPolicy() {
  return "default-src 'none'; script-src " + SourceHash(PageText(), "script") + "; style-src " +
         SourceHash(PageText(), "style") +
         "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

Response PageResponse() {
  static const std::string kPolicy = ContentPolicy();
  return {200,
          "text/html; charset=utf-8",
          std::string(PageText()),
          {{"Content-Security-Policy", kPolicy}, {"Referrer-Policy", "no-referrer"}}};
}

}  // namespace muster::http
